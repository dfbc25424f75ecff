//! JSON with the place of every value, for notebooks and structured answers. Takes what there is: a broken file gives the
//! values up to where it breaks.

use crate::text::{Passage, Span};

/// How deep values may nest; what is deeper is left out.
const MAX_DEPTH: usize = 60;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// Keys in the order of the file.
    Object(Vec<(String, Node)>),
    Array(Vec<Node>),
    /// What stands between the quotes.
    String(Span),
    /// A number, `true`, `false`, or `null`.
    Word(Span),
}

impl Node {
    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The values of a list.
    pub(crate) fn items(&self) -> &[Node] {
        match self {
            Node::Array(items) => items,
            _ => &[],
        }
    }

    /// The decoded text of a string, or of a list of strings that make one text.
    pub(crate) fn text(&self, source: &str) -> String {
        self.passage(source).text().to_owned()
    }

    /// The same with the place of every byte.
    pub(crate) fn passage(&self, source: &str) -> Passage {
        let mut passage = Passage::new();
        self.write(source, &mut passage);
        passage
    }

    fn write(&self, source: &str, passage: &mut Passage) {
        match self {
            Node::String(span) => unescape(source, *span, passage),
            Node::Word(span) => passage.push(&source[span.range()], span.start),
            Node::Array(items) => items.iter().filter(|item| matches!(item, Node::String(_))).for_each(|item| item.write(source, passage)),
            Node::Object(_) => {}
        }
    }
}

/// Reads a value; `None` if there is none.
pub(crate) fn parse(text: &str) -> Option<Node> {
    Parser { text, bytes: text.as_bytes(), at: if text.starts_with('\u{FEFF}') { 3 } else { 0 } }.value(0)
}

/// Writes what a quoted string says: the escapes of JSON and TOML.
pub(crate) fn unescape(source: &str, span: Span, passage: &mut Passage) {
    let mut at = span.start;
    while let Some(next) = source[at..span.end].find('\\') {
        let here = at + next;
        passage.push(&source[at..here], at);
        let rest = &source[here + 1..span.end];
        let sign = rest.chars().next().unwrap_or('\\');
        let mut end = (here + 1 + sign.len_utf8()).min(span.end);
        let digits = |start: usize, count: usize| source.get(start..(start + count).min(span.end)).filter(|digits| digits.len() == count);
        let code = |start: usize, count: usize| digits(start, count).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let mut text = None;
        match sign {
            'n' => text = Some('\n'),
            't' => text = Some('\t'),
            'r' => text = Some('\r'),
            'b' | 'f' => text = Some(' '),
            'e' => text = Some('\u{1B}'),
            'x' | 'u' | 'U' => {
                let count = match sign {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                if let Some(high) = code(end, count) {
                    end += count;
                    let low =
                        if (0xD800..0xDC00).contains(&high) && source[end..span.end].starts_with("\\u") { code(end + 2, 4) } else { None };
                    let joined =
                        low.filter(|low| (0xDC00..0xE000).contains(low)).map(|low| 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
                    end += if joined.is_some() { 6 } else { 0 };
                    text = char::from_u32(joined.unwrap_or(high)).or(Some('\u{FFFD}'));
                }
            }
            // In TOML, a backslash at the end of a line takes the white space behind it away.
            '\n' | '\r' | ' ' | '\t' => end += source[end..span.end].bytes().take_while(u8::is_ascii_whitespace).count(),
            _ => text = Some(sign),
        }
        if let Some(text) = text {
            passage.push_for(text.encode_utf8(&mut [0; 4]), Span::new(here, end));
        }
        at = end;
    }
    passage.push(&source[at..span.end], at);
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        self.at += self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        self.blanks();
        let start = self.at;
        match self.byte()? {
            b'{' | b'[' if depth >= MAX_DEPTH => {
                self.skip();
                Some(Node::Word(Span::new(start, start)))
            }
            b'{' => {
                self.at += 1;
                let mut entries = Vec::new();
                loop {
                    self.separators();
                    if self.byte() != Some(b'"') {
                        self.at += usize::from(self.byte() == Some(b'}'));
                        return Some(Node::Object(entries));
                    }
                    let key = Node::String(self.string()).text(self.text);
                    self.separators();
                    let Some(value) = self.value(depth + 1) else { return Some(Node::Object(entries)) };
                    entries.push((key, value));
                }
            }
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                loop {
                    self.separators();
                    if self.byte() == Some(b']') {
                        self.at += 1;
                        return Some(Node::Array(items));
                    }
                    let Some(value) = self.value(depth + 1) else { return Some(Node::Array(items)) };
                    items.push(value);
                }
            }
            b'"' => Some(Node::String(self.string())),
            byte if byte.is_ascii_alphanumeric() || byte == b'-' => {
                self.at += self.bytes[start..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
                    .count();
                Some(Node::Word(Span::new(start, self.at)))
            }
            _ => None,
        }
    }

    fn separators(&mut self) {
        self.at += self.bytes[self.at..].iter().take_while(|&&byte| byte.is_ascii_whitespace() || byte == b',' || byte == b':').count();
    }

    /// What a string says; without the closing quote, it ends with the text.
    fn string(&mut self) -> Span {
        let start = self.at;
        let mut escaped = false;
        let length = self.bytes[start + 1..].iter().position(|&byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let end = length.map_or(self.bytes.len(), |length| start + 1 + length);
        self.at = (end + 1).min(self.bytes.len());
        Span::new(start + 1, end)
    }

    /// Passes over a value that nests too deep.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.byte() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                b'"' => {
                    self.string();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_their_places() {
        let text = r#"{"a": ["1.24 ms", 5e3, null], "b": {"c": "x\n\u00b5\ud83d\ude00\"y"}}"#;
        let node = parse(text).expect("an object");
        assert_eq!(node.get("a").map(|items| items.items().len()), Some(3));
        let inner = node.get("b").and_then(|b| b.get("c")).expect("a string");
        let passage = inner.passage(text);
        assert_eq!(passage.text(), "x\nµ😀\"y");
        assert_eq!(&text[passage.span(2..4).range()], "\\u00b5");
        assert_eq!(&text[passage.span(4..8).range()], "\\ud83d\\ude00");
    }

    #[test]
    fn a_broken_file_gives_what_is_there() {
        assert_eq!(parse("{\"a\": \"1.24").and_then(|node| node.get("a").map(|a| a.text("{\"a\": \"1.24"))), Some("1.24".to_owned()));
        assert!(parse(&"[".repeat(100_000)).is_some());
        assert_eq!(parse("nothing else"), Some(Node::Word(Span::new(0, 7))));
        assert_eq!(parse(""), None);
    }
}
