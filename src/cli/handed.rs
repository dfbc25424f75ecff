//! What students hand in, as it comes from the outside: a file, standard input, or a line of a stream.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use drillmark::answer::{Answer, Kind};
use drillmark::report::Submission;
use drillmark::text;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Shell;

/// A larger file, or line of a stream, is no answer to a drill.
const LARGEST: u64 = 10_000_000;

/// What is said when several answers are to be one page.
pub(crate) const ONE_PAGE: &str = "a page is about one answer; for a page each, grade them with `--out RUN --feedback html`";

/// One submission, read.
pub(crate) struct Handed {
    /// The name by which results are joined.
    pub(crate) id: String,
    /// As it was named to us.
    pub(crate) file: String,
    /// Of its bytes.
    pub(crate) sha256: String,
    /// What it says.
    pub(crate) answer: Answer,
}

/// A line of a stream, with its text in one form or another.
#[derive(Deserialize)]
struct Line<T> {
    id: serde_json::Value,
    text: T,
    kind: Option<String>,
}

impl Line<String> {
    /// Reads a line. The text, which is nearly all of it, is spelled out once, into as much room as it takes.
    fn read(line: &str) -> Result<Line<String>, serde_json::Error> {
        match serde_json::from_str(line).map(|Line::<&RawValue> { id, text, kind }| (id, spelled_out(text.get()), kind)) {
            Ok((id, Some(text), kind)) => Ok(Line { id, text, kind }),
            // A rare escape, or something that is wrong with the line.
            _ => serde_json::from_str(line),
        }
    }
}

/// A string of JSON without its quotes and escapes; nothing where it has one of the rarer escapes, or is no string.
fn spelled_out(string: &str) -> Option<String> {
    let mut rest = string.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(rest.len());
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        text.push(match rest.as_bytes().get(at + 1)? {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            sign @ (b'"' | b'\\' | b'/') => char::from(*sign),
            _ => return None,
        });
        rest = &rest[at + 2..];
    }
    text.push_str(rest);
    Some(text)
}

impl Handed {
    /// Reads a file, or standard input for `-`. Its format follows from its name unless `kind` says otherwise.
    pub(crate) fn open(shell: &Shell, path: &Path, kind: Option<Kind>) -> Result<Handed, String> {
        let bytes = shell.read(path, LARGEST).map_err(|trouble| trouble.to_string())?;
        Handed::new(id(path), path.display().to_string(), bytes, kind)
    }

    /// Takes in a line of a stream: `{"id": "s017", "text": "…", "kind": "md"}`. What goes wrong comes with the id, where
    /// the line has one.
    pub(crate) fn from_line(line: &str, kind: Option<Kind>) -> Result<Handed, (Option<String>, String)> {
        let line = Line::read(line).map_err(|error| (None, format!("the line is not an answer: {error}")))?;
        let id = match line.id {
            serde_json::Value::String(id) => id,
            other => other.to_string(),
        };
        let kind = match line.kind {
            Some(name) => Some(self::kind(&name).map_err(|error| (Some(id.clone()), error))?),
            None => kind,
        };
        Handed::new(id.clone(), id.clone(), line.text.into_bytes(), kind).map_err(|error| (Some(id), error))
    }

    fn new(id: String, file: String, bytes: Vec<u8>, kind: Option<Kind>) -> Result<Handed, String> {
        let sha256 = text::sha256(&bytes);
        let answer = Answer::read_bytes(file.as_str(), bytes, kind, LARGEST as usize).map_err(|error| format!("{file}: {error}"))?;
        if answer.source.text().trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
            return Err(format!("{file}: the file is empty"));
        }
        Ok(Handed { id, file, sha256, answer })
    }

    /// What reports call it.
    pub(crate) fn submission(&self) -> Submission<'_> {
        Submission { id: &self.id, file: &self.file, sha256: &self.sha256, arrival: None }
    }
}

/// The name by which the results of a file are joined: its own, without the extension.
pub(crate) fn id(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A format by its usual extension, as `--kind` and streams name it.
pub(crate) fn kind(name: &str) -> Result<Kind, String> {
    Kind::of_name(&format!("answer.{name}"))
        .ok_or_else(|| format!("unknown kind `{name}`: expected md, txt, tex, typ, ipynb, toml, or json"))
}

/// The most lines that a thread takes at a time.
const BATCH: usize = 16;

/// A stream of answers, line by line.
pub(crate) struct Lines<R> {
    from: BufReader<R>,
    /// The lines that were read.
    read: usize,
}

/// A line of a stream that is not blank, with its number from 1; inside of what went wrong with the stream, what is wrong
/// with the line.
pub(crate) type Numbered = (usize, io::Result<Result<String, String>>);

impl<R: Read> Lines<R> {
    /// Those of a stream.
    pub(crate) fn of(from: BufReader<R>) -> Lines<R> {
        Lines { from, read: 0 }
    }

    /// The lines that one of several threads takes at a time: its share of those that have come in by the time that there is
    /// one. To be woken for each line would cost as much as a good part of the work on it.
    pub(crate) fn some(&mut self, threads: usize) -> Vec<Numbered> {
        let mut lines = Vec::new();
        while lines.is_empty() {
            let Some(line) = self.next() else { break };
            lines.extend(unless_blank(line));
        }
        let there = memchr::memchr_iter(b'\n', self.from.buffer()).count();
        let share = ((1 + there) / threads).min(BATCH);
        lines.extend((1..share).map_while(|_| self.next()).filter_map(unless_blank));
        lines
    }

    fn next(&mut self) -> Option<Numbered> {
        let line = next_line(&mut self.from).transpose()?;
        self.read += 1;
        Some((self.read, line))
    }
}

fn unless_blank(line: Numbered) -> Option<Numbered> {
    let is_blank = matches!(&line, (_, Ok(Ok(text))) if text.trim().is_empty());
    (!is_blank).then_some(line)
}

/// The next line of a stream with its end: `None` at the end of the stream, `Err` inside for a line that is too long or not
/// UTF-8; the stream goes on after it.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let buffer = lines.fill_buf()?;
        if buffer.is_empty() {
            if line.is_empty() && !is_too_long {
                return Ok(None);
            }
            break;
        }
        let end = memchr::memchr(b'\n', buffer);
        let taken = end.map_or(buffer.len(), |end| end + 1);
        if line.len() + taken > LARGEST as usize {
            is_too_long = true;
            line.clear();
        } else if !is_too_long {
            line.extend_from_slice(&buffer[..taken]);
        }
        lines.consume(taken);
        if end.is_some() {
            break;
        }
    }
    if is_too_long {
        return Ok(Some(Err(format!("the line is longer than {} MB", LARGEST / 1_000_000))));
    }
    Ok(Some(String::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_spelled_out_as_json_has_them() {
        for string in [r#""""#, r#""a\nb\t\"c\" \\ \/ µ""#, r#""\\\\n""#, r#""\u00b5s""#, r#""\b\f""#, "7", "null"] {
            let known = serde_json::from_str::<String>(string).ok();
            assert!(spelled_out(string).is_none_or(|text| Some(text) == known), "{string}");
            let line = format!(r#"{{"id": 1, "text": {string}}}"#);
            assert_eq!(Line::read(&line).ok().map(|line| line.text), known, "{string}");
        }
    }

    #[test]
    fn a_stream_goes_on_after_a_bad_line() {
        let long = "x".repeat(LARGEST as usize + 1);
        let text = [b"one\n".as_slice(), long.as_bytes(), b"\n\xff\nlast"].concat();
        let mut lines = text.as_slice();
        let mut next = || next_line(&mut lines).expect("memory is readable");
        assert_eq!(next(), Some(Ok("one\n".to_owned())));
        assert_eq!(next(), Some(Err("the line is longer than 10 MB".to_owned())));
        assert_eq!(next(), Some(Err("the line is not UTF-8".to_owned())));
        assert_eq!(next(), Some(Ok("last".to_owned())));
        assert_eq!(next(), None);
    }

    #[test]
    fn threads_share_the_lines_that_are_there() {
        let text = format!("\n{}{}", "a\n".repeat(10), "\nb\nlast");
        let mut lines = Lines::of(BufReader::new(text.as_bytes()));
        let mut numbers = || lines.some(2).into_iter().map(|(number, _)| number).collect::<Vec<_>>();
        // The last line has no end yet: it may be that more of it comes.
        assert_eq!(numbers(), [2, 3, 4, 5, 6, 7]);
        assert_eq!(numbers(), [8, 9, 10]);
        assert_eq!(numbers(), [11]);
        assert_eq!(numbers(), [13]);
        assert_eq!(numbers(), [14]);
        assert!(numbers().is_empty());
    }
}
