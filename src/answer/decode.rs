//! From a file's bytes to text.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memchr;

/// What a grader should know about how a file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// It began with a byte-order mark.
    ByteOrderMark,
    /// It was not UTF-8 but this encoding; places count in the text that its characters make in UTF-8.
    Encoding(&'static str),
    /// So many stretches of bytes were no characters at all; each reads `�`.
    Broken(usize),
}

/// Why bytes could not be read as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// More bytes than are allowed.
    TooLarge {
        /// How many there are.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// Not text: a picture, an archive, a program, a PDF.
    Binary {
        /// What it looks like, where that can be told.
        what: Option<&'static str>,
        /// The first byte that is in no text.
        offset: usize,
    },
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::TooLarge { bytes, limit } => write!(f, "{bytes} bytes are more than the {limit} that are read"),
            Unreadable::Binary { what: Some(what), .. } => write!(f, "this is {what}, not text"),
            Unreadable::Binary { what: None, offset } => write!(f, "this is not text: byte {offset} is in no text file"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// The text of a file. A byte-order mark of UTF-8 stays in it, so that places in the text are places in the file.
pub(crate) fn decode(bytes: Cow<'_, [u8]>, limit: usize) -> Result<(String, Vec<Note>), Unreadable> {
    let owned = bytes;
    let bytes = &*owned;
    if bytes.len() > limit {
        return Err(Unreadable::TooLarge { bytes: bytes.len(), limit });
    }
    if let Some((encoding, _)) = Encoding::for_bom(bytes)
        && encoding != UTF_8
    {
        let (text, broken) = encoding.decode_with_bom_removal(bytes);
        return Ok(with_notes(text.into_owned(), vec![Note::ByteOrderMark, Note::Encoding(encoding.name())], broken));
    }
    if let Some(offset) = memchr(0, bytes) {
        if let Some(encoding) = unmarked_utf_16(bytes) {
            let (text, broken) = encoding.decode_without_bom_handling(bytes);
            return Ok(with_notes(text.into_owned(), vec![Note::Encoding(encoding.name())], broken));
        }
        return Err(Unreadable::Binary { what: looks_like(bytes), offset });
    }
    if let Some(what) = looks_like(bytes) {
        return Err(Unreadable::Binary { what: Some(what), offset: 0 });
    }
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") { vec![Note::ByteOrderMark] } else { Vec::new() };
    // What was handed over is kept, not copied.
    let owned = match owned {
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => return Ok((text, mark)),
            Err(error) => Cow::Owned(error.into_bytes()),
        },
        Cow::Borrowed(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => return Ok((text.to_owned(), mark)),
            Err(_) => Cow::Borrowed(bytes),
        },
    };
    let bytes = &*owned;
    let (mut good, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    let controls = bytes.iter().filter(|&&byte| byte < 9 || (14..27).contains(&byte)).count();
    if controls * 20 > bytes.len() {
        let offset = bytes.iter().position(|&byte| byte < 9 || (14..27).contains(&byte)).unwrap_or(0);
        return Err(Unreadable::Binary { what: None, offset });
    }
    if good > broken {
        // UTF-8 with a few broken places: a file cut in the middle of a character, or two files pasted together.
        return Ok(with_notes(String::from_utf8_lossy(bytes).into_owned(), mark, true));
    }
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    Ok((text.into_owned(), vec![Note::Encoding(WINDOWS_1252.name())]))
}

fn with_notes(text: String, mut notes: Vec<Note>, broken: bool) -> (String, Vec<Note>) {
    if broken {
        notes.push(Note::Broken(text.matches('\u{FFFD}').count()));
    }
    (text, notes)
}

/// UTF-16 without a byte-order mark: every other byte is zero, as Latin letters have it.
fn unmarked_utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(4096) & !1];
    let zeros = |first: usize| sample.iter().skip(first).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let half = sample.len() / 2;
    if half < 4 {
        None
    } else if odd * 10 > half * 7 && even * 10 < half {
        Some(UTF_16LE)
    } else if even * 10 > half * 7 && odd * 10 < half {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// What kind of file the first bytes announce, where that is no text.
fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    const STARTS: [(&[u8], &str); 9] = [
        (b"%PDF-", "a PDF"),
        (b"PK\x03\x04", "a ZIP archive or an office document"),
        (b"\x89PNG", "a PNG picture"),
        (b"\xFF\xD8\xFF", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"\xD0\xCF\x11\xE0", "an old office document"),
        (b"\x7FELF", "a program"),
        (b"{\\rtf", "a rich-text document"),
    ];
    STARTS.iter().find(|(start, _)| bytes.starts_with(start)).map(|&(_, what)| what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> (String, Vec<Note>) {
        decode(bytes.into(), 1 << 20).expect("this is text")
    }

    #[test]
    fn encodings() {
        assert_eq!(text("20 µs".as_bytes()), ("20 µs".to_owned(), vec![]));
        assert_eq!(text(b"\xEF\xBB\xBF(a)"), ("\u{FEFF}(a)".to_owned(), vec![Note::ByteOrderMark]));
        assert_eq!(text(b"20 \xB5s \x96 5 \x80"), ("20 µs – 5 €".to_owned(), vec![Note::Encoding("windows-1252")]));
        let utf_16: Vec<u8> = "\u{FEFF}(a) 20 µs".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text(&utf_16), ("(a) 20 µs".to_owned(), vec![Note::ByteOrderMark, Note::Encoding("UTF-16LE")]));
        let unmarked: Vec<u8> = "(a) 20 µs".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(text(&unmarked), ("(a) 20 µs".to_owned(), vec![Note::Encoding("UTF-16BE")]));
        assert_eq!(text(b"20 \xC2\xB5s, 30 \xC2\xB5s, \xC2"), ("20 µs, 30 µs, \u{FFFD}".to_owned(), vec![Note::Broken(1)]));
        assert_eq!(text(b""), (String::new(), vec![]));
    }

    #[test]
    fn what_is_no_text_is_refused_with_a_reason() {
        assert_eq!(decode(b"%PDF-1.7".into(), 100), Err(Unreadable::Binary { what: Some("a PDF"), offset: 0 }));
        assert_eq!(decode(b"12 ms\0\0\0".into(), 100), Err(Unreadable::Binary { what: None, offset: 5 }));
        assert_eq!(decode((&[b'a'; 101]).into(), 100), Err(Unreadable::TooLarge { bytes: 101, limit: 100 }));
    }
}
