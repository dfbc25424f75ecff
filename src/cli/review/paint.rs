//! Styled lines for a screen, and breaking text into them.

use drillmark::report::inert;

/// How words look. Everything can be told apart without color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Look {
    /// As the terminal writes.
    #[default]
    Plain,
    /// Less.
    Dim,
    /// More.
    Bold,
    /// Words in question: light on dark where the rest is dark on light.
    Marked,
    /// Something good.
    Good,
    /// Something in between.
    Middling,
    /// Something bad.
    Bad,
}

/// A line of a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Stretches that look the same; everything in them is inert.
    pub(super) pieces: Vec<(Look, String)>,
}

impl Line {
    pub(super) fn new(look: Look, text: &str) -> Line {
        Line::default().with(look, text)
    }

    /// Adds words, made inert.
    pub(super) fn with(mut self, look: Look, text: &str) -> Line {
        self.pieces.push((look, inert::terminal(text)));
        self
    }

    pub(super) fn columns(&self) -> usize {
        self.pieces.iter().map(|(_, text)| inert::columns(text)).sum()
    }

    /// Cut to so many columns, with an ellipsis where something is missing.
    pub(super) fn cut(self, columns: usize) -> Line {
        if self.columns() <= columns {
            return self;
        }
        let (mut line, mut room) = (Line::default(), columns.saturating_sub(1));
        for (look, text) in self.pieces {
            let taken = first(&text, room);
            room -= inert::columns(&taken);
            let is_whole = taken.len() == text.len();
            line.pieces.push((look, taken));
            if !is_whole {
                break;
            }
        }
        line.pieces.push((Look::Dim, "…".to_owned()));
        line
    }

    /// The words alone, for tests.
    #[cfg(test)]
    pub(super) fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// As much of the beginning as fits into so many columns.
pub(super) fn first(text: &str, columns: usize) -> String {
    let mut room = columns;
    let mut taken = String::new();
    for c in text.chars() {
        let width = inert::columns(c.encode_utf8(&mut [0; 4]));
        if width > room {
            break;
        }
        room -= width;
        taken.push(c);
    }
    taken
}

/// Text of somebody else in lines of so many columns, with the bytes of `marks` marked. Lines break at spaces, and inside
/// a word only where it is longer than a line.
pub(super) fn wrapped(text: &str, marks: &[(usize, usize)], look: Look, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for paragraph in text.split('\n') {
        let mut cells = Vec::new();
        let mut at = start;
        let end = start + paragraph.len();
        for &(from, to) in marks.iter().filter(|(from, to)| *to > start && *from < end) {
            let (from, to) = (from.max(at), to.min(end));
            push(&mut cells, &text[at..from.max(at)], look);
            push(&mut cells, &text[from.max(at)..to.max(at)], Look::Marked);
            at = to.max(at);
        }
        push(&mut cells, &text[at..end], look);
        break_up(&cells, columns.max(2), &mut lines);
        start = end + 1;
    }
    lines
}

/// A character with its look and its columns.
type Cell = (char, Look, usize);

fn push(cells: &mut Vec<Cell>, text: &str, look: Look) {
    // A colon pair that begins a line is broken up by `inert`; inside a paragraph only its first piece begins one.
    cells.extend(inert::terminal(text).chars().map(|c| (c, look, inert::columns(c.encode_utf8(&mut [0; 4])))));
}

fn break_up(cells: &[Cell], columns: usize, lines: &mut Vec<Line>) {
    let mut rest = cells;
    loop {
        let (mut width, mut end, mut space) = (0, 0, None);
        for (at, (c, _, columns_of)) in rest.iter().enumerate() {
            if width + columns_of > columns {
                break;
            }
            width += columns_of;
            end = at + 1;
            if *c == ' ' {
                space = Some(at);
            }
        }
        if end == rest.len() {
            lines.push(line(rest));
            return;
        }
        // Marks on a letter stay with it.
        let is_break = rest[end].0 == ' ';
        let end = match space {
            _ if is_break => end,
            Some(space) if space > 0 => space,
            _ => end.max(1),
        };
        lines.push(line(&rest[..end]));
        let skip = rest[end..].iter().take_while(|(c, ..)| *c == ' ').count();
        rest = &rest[end + skip..];
        if rest.is_empty() {
            return;
        }
    }
}

fn line(cells: &[Cell]) -> Line {
    let mut line = Line::default();
    for (c, look, _) in cells {
        match line.pieces.last_mut() {
            Some((last, text)) if last == look => text.push(*c),
            _ => line.pieces.push((*look, c.to_string())),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, marks: &[(usize, usize)], columns: usize) -> Vec<String> {
        let piece = |(look, text): &(Look, String)| if *look == Look::Marked { format!("[{text}]") } else { text.clone() };
        wrapped(text, marks, Look::Plain, columns).iter().map(|line| line.pieces.iter().map(piece).collect()).collect()
    }

    #[test]
    fn lines_break_at_spaces_and_marks_go_on() {
        assert_eq!(shown("one two three", &[], 8), ["one two", "three"]);
        assert_eq!(shown("one two three\n\nfour", &[(4, 13)], 8), ["one [two]", "[three]", "", "four"]);
        assert_eq!(shown("abcdefgh i", &[(0, 3)], 3), ["[abc]", "def", "gh", "i"]);
        assert_eq!(shown("漢字漢字", &[(0, 6)], 5), ["[漢字]", "漢字"]);
    }

    #[test]
    fn nothing_foreign_steers_the_screen() {
        let lines = wrapped("a\u{1b}[2J\u{202e}b\r\nc\u{9b}31m", &[(1, 3)], Look::Plain, 20);
        let text: String = lines.iter().map(Line::text).collect();
        assert!(text.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{text:?}");
        assert!(Line::new(Look::Plain, "\u{1b}]0;x\u{7}").text().chars().all(|c| !c.is_control()));
    }

    #[test]
    fn a_line_is_cut_with_an_ellipsis() {
        assert_eq!(Line::new(Look::Bold, "one ").with(Look::Plain, "two").cut(6).text(), "one t…");
        assert_eq!(Line::new(Look::Bold, "one").cut(3).text(), "one");
        assert_eq!(Line::new(Look::Bold, "漢字").cut(3).text(), "漢…");
    }
}
