//! The lists of Typst and the labels that their items get.

use crate::answer::latex::labels::{letter, roman};

/// What an item is marked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// `-`
    Bullet,
    /// `+`
    Plus,
    /// `3.`
    Number(usize),
    /// `/`, before a term and its description.
    Term,
}

impl Marker {
    /// The marker at the start of a line, and its length with the space behind it.
    pub(super) fn of(line: &str) -> Option<(Marker, usize)> {
        let (marker, length) = match line.bytes().next()? {
            b'-' => (Marker::Bullet, 1),
            b'+' => (Marker::Plus, 1),
            b'/' => (Marker::Term, 1),
            b'0'..=b'9' => {
                let digits = line.bytes().take_while(u8::is_ascii_digit).count();
                let number = line[..digits].parse().ok().filter(|_| line[digits..].starts_with('.'))?;
                (Marker::Number(number), digits + 1)
            }
            _ => return None,
        };
        let rest = &line[length..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        (blank > 0 || rest.is_empty() || rest.starts_with(['\r', '\n'])).then_some((marker, length + blank))
    }
}

/// The lists that are open.
#[derive(Debug)]
pub(super) struct Lists {
    open: Vec<List>,
    /// The pattern that numbered lists get here.
    numbering: String,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { open: Vec::new(), numbering: "1.".to_owned() }
    }
}

#[derive(Debug)]
struct List {
    indent: usize,
    numbered: bool,
    count: usize,
    /// The pattern of this list; a setting inside an item ends with the item.
    numbering: String,
}

impl Lists {
    /// How many lists are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The pattern that numbered lists get here.
    pub(super) fn numbering(&self) -> &str {
        &self.numbering
    }

    /// Sets that pattern.
    pub(super) fn set_numbering(&mut self, numbering: &str) {
        numbering.clone_into(&mut self.numbering);
    }

    /// Begins an item at this indentation; returns its label.
    pub(super) fn item(&mut self, indent: usize, marker: Marker) -> String {
        while self.open.last().is_some_and(|list| list.indent > indent) {
            self.pop();
        }
        let numbered = !matches!(marker, Marker::Bullet | Marker::Term);
        if self.open.last().is_some_and(|list| list.indent == indent && list.numbered != numbered) {
            self.pop();
        }
        match self.open.last() {
            Some(list) if list.indent == indent => self.numbering = list.numbering.clone(),
            _ => self.open.push(List { indent, numbered, count: 0, numbering: self.numbering.clone() }),
        }
        let level = self.open.iter().filter(|list| list.numbered).count().saturating_sub(1);
        let Some(list) = self.open.last_mut() else { return String::new() };
        if !numbered {
            return "-".to_owned();
        }
        list.count = if let Marker::Number(number) = marker { number } else { list.count + 1 };
        apply(&list.numbering, level, list.count)
    }

    /// A line that is no item leaves the lists whose items do not hold it; true if it left one. A heading leaves all.
    pub(super) fn leave(&mut self, indent: usize, all: bool) -> bool {
        let before = self.open.len();
        while self.open.last().is_some_and(|list| all || list.indent >= indent) {
            self.pop();
        }
        self.open.len() < before
    }

    fn pop(&mut self) {
        if let Some(list) = self.open.pop() {
            self.numbering = list.numbering;
        }
    }
}

/// A number in a pattern such as `(a)` or `1.a)`: deeper levels use later signs, or the last one.
fn apply(pattern: &str, level: usize, number: usize) -> String {
    let is_sign = |c: char| matches!(c, '1' | 'a' | 'A' | 'i' | 'I');
    let signs: Vec<(usize, char)> = pattern.char_indices().filter(|&(_, c)| is_sign(c)).collect();
    let (Some(&(first, _)), Some(&(last, last_sign))) = (signs.first(), signs.last()) else { return number.to_string() };
    let sign = signs.get(level).map_or(last_sign, |&(_, sign)| sign);
    let text = match sign {
        'a' => letter(number, 'a'),
        'A' => letter(number, 'A'),
        'i' => roman(number),
        'I' => roman(number).to_uppercase(),
        _ => number.to_string(),
    };
    format!("{}{text}{}", &pattern[..first], &pattern[last + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, level, number, label) in [
            ("1.", 0, 3, "3."),
            ("(a)", 0, 2, "(b)"),
            ("(a)", 1, 2, "(b)"),
            ("1.a)", 0, 2, "2)"),
            ("1.a)", 1, 2, "b)"),
            ("I.", 0, 4, "IV."),
        ] {
            assert_eq!(apply(pattern, level, number), label, "{pattern}");
        }
    }
}
