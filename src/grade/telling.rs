//! The words of a line that tell something wherever they stand: what separates, says no, points back, or declares a unit. They
//! are looked for in one go.

use std::ops::Range;
use std::sync::LazyLock;

use smallvec::SmallVec;

use crate::grade::scene::{Break, Depth};
use crate::phrase::{Marks, Words};

/// Like a comma.
const COMMA: u64 = 1;
/// Like a semicolon.
const CLAUSE: u64 = 1 << 1;
const NOT: u64 = 1 << 2;
/// Points at one of two named things.
pub(super) const POINTS: u64 = 1 << 3;
/// With these two, a line may declare a unit.
pub(super) const IN: u64 = 1 << 4;
pub(super) const MEASURED: u64 = 1 << 5;
/// A key of a report on an answer.
pub(super) const REPORTS: u64 = 1 << 6;

static TELLING: LazyLock<Marks> = LazyLock::new(|| {
    Marks::of_texts(&[
        "and so or",
        "but while whereas although though however because since",
        // Alone, or grown onto a verb.
        "not never nicht kein keine cannot aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mustnt neednt shouldnt \
         wasnt werent wont wouldnt",
        "former latter second erstere ersterer ersteres ersteren ersterem letztere letzterer letzteres letzteren letzterem",
        "in",
        "times durations latencies sizes volumes values numbers results everything all fractions percentages zeiten größen werte angaben",
        "verdict outcome awarded",
    ])
});

/// What the words of a line tell.
#[derive(Debug, Default)]
pub(super) struct Telling {
    /// What any of them tells.
    pub(super) marks: u64,
    /// The places of its *nots* among the words of its block.
    pub(super) nots: SmallVec<[usize; 2]>,
    /// Those that separate.
    pub(super) joints: SmallVec<[Break; 4]>,
}

impl Telling {
    /// What the words in a stretch of a block tell.
    pub(super) fn of(words: &Words, range: &Range<usize>) -> Telling {
        let mut telling = Telling::default();
        let first = words.list().partition_point(|word| word.range.start < range.start);
        for (place, word) in words.list()[first..].iter().enumerate().take_while(|(_, word)| word.range.end <= range.end) {
            let marks = TELLING.on_word(word);
            if marks == 0 {
                continue;
            }
            telling.marks |= marks;
            if marks & NOT != 0 {
                telling.nots.push(first + place);
            }
            if marks & (COMMA | CLAUSE) != 0 {
                let depth = if marks & COMMA != 0 { Depth::Comma } else { Depth::Clause };
                telling.joints.push(Break { at: word.range.start, depth });
            }
        }
        telling
    }

    /// Whether it has words of all these kinds.
    pub(super) fn has(&self, kinds: u64) -> bool {
        self.marks & kinds == kinds
    }
}
