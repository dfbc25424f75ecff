//! Which mark the decimals of a text have: `3,277 s` is three seconds and a bit where `201,5 ms` stands beside it.

use crate::text::{Passage, Signs};

/// What was seen of decimal marks that can be nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    commas: usize,
    points: usize,
}

impl Marks {
    /// What some passages show that belong together.
    pub(super) fn of<'a>(passages: impl Iterator<Item = &'a Passage> + Clone) -> Marks {
        let commas = passages.clone().filter(|passage| passage.signs().hold(Signs::COMMA));
        let commas = commas.map(|passage| decimals(passage.text(), b',').count()).sum();
        // Where no comma is one, nobody asks about the points.
        let points = || passages.map(|passage| decimals(passage.text(), b'.').count()).sum();
        Marks { commas, points: if commas > 1 { points() } else { 0 } }
    }

    /// Whether the decimal mark is a comma, and a point before three digits therefore groups them.
    pub(super) fn decimal_comma(self) -> bool {
        self.commas >= 2 && self.commas > 2 * self.points
    }
}

/// The marks between digits that neither group thousands nor part the members of a list.
fn decimals(text: &str, mark: u8) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
    memchr::memchr_iter(mark, bytes).filter(move |&at| {
        // Most are marks of a sentence.
        if !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            return false;
        }
        let before = bytes[..at].iter().rev().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        let after = digits(at + 1);
        let other = |place: Option<usize>| place.and_then(|place| bytes.get(place)).is_some_and(|byte| matches!(byte, b',' | b'.'));
        let listed = other(Some(at + 1 + after)) && digits((at + 2 + after).min(bytes.len())) > 0;
        let alone = !listed && !other(at.checked_sub(before + 1));
        let zero = before == 1 && bytes[at - 1] == b'0';
        before > 0 && after > 0 && alone && (after != 3 || zero || before > 3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decimals_of_a_text_tell() {
        for (text, comma) in [
            ("201,5 ms und 50,7 %", true),
            ("201.5 ms and 50.7 %", false),
            ("1,240 and 2,480 buckets", false),
            ("in lists: 5,10,20 and 1,2,3", false),
            ("0,125 und 0,5; siehe 1.971", true),
            ("1,5 and 2,5 but 1.5, 2.5", false),
            ("2,6 GB = 2479,553 MiB", true),
        ] {
            assert_eq!(Marks::of(std::iter::once(&Passage::verbatim(text, 0))).decimal_comma(), comma, "{text}");
        }
    }
}
