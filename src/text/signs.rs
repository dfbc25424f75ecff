//! What kinds of characters a text holds.

/// What kinds of characters a text holds, a bit each. They are gathered while a passage is written, so that who looks for one
/// of them need not walk all the texts that have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signs(u8);

impl Signs {
    /// The end of a line.
    pub(crate) const LINE_END: Signs = Signs(1);
    /// What may join the members of a chain of work: `=`, `>`, `~`, or the first byte of an arrow and its like.
    pub(crate) const RELATION: Signs = Signs(1 << 1);
    /// A comma.
    pub(crate) const COMMA: Signs = Signs(1 << 2);
    /// What parts the cells of a table, or begins what draws it, other than a comma: `|`, a tab, `;`.
    pub(crate) const COLUMN: Signs = Signs(1 << 3);
    /// The escape of a terminal.
    pub(crate) const ESCAPE: Signs = Signs(1 << 4);
    /// The first byte of a character that may be another way to set an ordinary one, or is not seen.
    pub(crate) const WIDE: Signs = Signs(1 << 5);

    /// Those of a text.
    pub(crate) fn of(text: &str) -> Signs {
        Signs(text.bytes().fold(0, |signs, byte| signs | KINDS[usize::from(byte)]))
    }

    /// Whether one of some is there.
    pub(crate) fn hold(self, some: Signs) -> bool {
        self.0 & some.0 != 0
    }

    /// These and others.
    pub(crate) const fn and(self, others: Signs) -> Signs {
        Signs(self.0 | others.0)
    }
}

/// What a byte is the sign of.
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let kind = match byte as u8 {
            b'\n' => Signs::LINE_END,
            b'=' | b'>' | b'~' => Signs::RELATION,
            b',' => Signs::COMMA,
            b'|' | b'\t' | b';' => Signs::COLUMN,
            0x1b => Signs::ESCAPE,
            0xe2 => Signs::WIDE.and(Signs::RELATION).and(Signs::COLUMN),
            0xc2 | 0xe3 | 0xef => Signs::WIDE,
            _ => Signs(0),
        };
        kinds[byte] = kind.0;
        byte += 1;
    }
    kinds
};
