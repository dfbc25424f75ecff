//! A table as a platform gave it. What is not ours to change leaves byte for byte as it came.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use csv::{ByteRecord, QuoteStyle, ReaderBuilder, Terminator, WriterBuilder};

use crate::cohort::Trouble;
use crate::report::inert;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A table with its header, and how it was written.
#[derive(Debug)]
pub(super) struct Template<'a> {
    pub(super) path: PathBuf,
    bytes: &'a [u8],
    has_mark: bool,
    pub(super) delimiter: u8,
    terminator: Terminator,
    pub(super) header: Vec<String>,
    header_at: Range<usize>,
    pub(super) rows: Vec<Record>,
}

/// A row of a template.
#[derive(Debug)]
pub(super) struct Record {
    /// As they stand there, blanks included.
    pub(super) cells: Vec<String>,
    at: Range<usize>,
}

impl Record {
    /// A cell without the blanks around it; empty where the row is too short.
    pub(super) fn cell(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", |cell| cell.trim())
    }
}

impl<'a> Template<'a> {
    pub(super) fn read(path: &Path, bytes: &'a [u8]) -> Result<Template<'a>, Trouble> {
        let has_mark = bytes.starts_with(BYTE_ORDER_MARK);
        let body = if has_mark { &bytes[BYTE_ORDER_MARK.len()..] } else { bytes };
        if let Err(error) = std::str::from_utf8(body) {
            return Err(Trouble::unfit(
                path,
                format!("is not UTF-8 (byte {}); download it again in that encoding", error.valid_up_to() + 1),
            ));
        }
        let delimiter = delimiter(body);
        let terminator = match body.iter().position(|&byte| byte == b'\n') {
            Some(at) if at > 0 && body[at - 1] == b'\r' => Terminator::CRLF,
            _ => Terminator::Any(b'\n'),
        };
        let mut reader = ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(body);
        let (mut record, mut header, mut rows) = (ByteRecord::new(), None, Vec::new());
        let mut end = 0;
        while reader.read_byte_record(&mut record).map_err(|error| Trouble::unfit(path, format!("is not a table: {error}")))? {
            let start = end;
            end = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX).min(body.len());
            // The reader stops in the middle of a line break of two characters.
            if end > start && body[end - 1] == b'\r' && body.get(end) == Some(&b'\n') {
                end += 1;
            }
            let cells = record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
            match &header {
                None => header = Some((cells, start..end)),
                Some(_) => rows.push(Record { cells, at: start..end }),
            }
        }
        let (header, header_at) = header.ok_or_else(|| Trouble::unfit(path, "is empty"))?;
        Ok(Template { path: path.to_owned(), bytes: body, has_mark, delimiter, terminator, header, header_at, rows })
    }

    /// The column with this header, whatever the capitals.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        let name = name.trim().to_lowercase();
        self.header.iter().position(|header| header.trim().to_lowercase() == name)
    }

    /// The headers for a message.
    pub(super) fn headers(&self) -> String {
        let headers: Vec<String> = self.header.iter().map(|header| format!("`{}`", header.trim())).collect();
        headers.join(", ")
    }

    pub(super) fn unfit(&self, what: impl Into<String>) -> Trouble {
        Trouble::unfit(&self.path, what)
    }

    /// The whole table again, with these cells changed. Rows that nothing changes leave as they came, unless a
    /// spreadsheet would take a cell of theirs for a formula.
    pub(super) fn filled(&self, changes: &BTreeMap<(usize, usize), String>) -> Vec<u8> {
        let mut out = if self.has_mark { BYTE_ORDER_MARK.to_vec() } else { Vec::new() };
        out.extend_from_slice(&self.bytes[self.header_at.clone()]);
        if !out.ends_with(b"\n") && !self.rows.is_empty() {
            out.push(b'\n');
        }
        for (at, row) in self.rows.iter().enumerate() {
            let changed: BTreeMap<usize, &String> =
                changes.range((at, 0)..(at + 1, 0)).map(|((_, column), text)| (*column, text)).collect();
            let is_safe = row.cells.iter().all(|cell| foreign(cell) == *cell);
            if changed.is_empty() && is_safe {
                out.extend_from_slice(&self.bytes[row.at.clone()]);
                continue;
            }
            let width = row.cells.len().max(changed.keys().max().map_or(0, |column| column + 1));
            let cells = (0..width).map(|column| match changed.get(&column) {
                Some(text) => (*text).clone(),
                None => row.cells.get(column).map(|cell| foreign(cell)).unwrap_or_default(),
            });
            out.extend(self.record(cells));
        }
        out
    }

    /// These columns of the header and of every row, with the cells given.
    pub(super) fn cut(&self, header: &[String], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
        let mut out = if self.has_mark { BYTE_ORDER_MARK.to_vec() } else { Vec::new() };
        out.extend(self.record(header.iter().cloned()));
        for row in rows {
            out.extend(self.record(row.into_iter()));
        }
        out
    }

    /// One line as the platform writes lines.
    fn record(&self, cells: impl Iterator<Item = String>) -> Vec<u8> {
        record(self.delimiter, self.terminator, cells)
    }
}

/// One line of a table.
pub(super) fn record(delimiter: u8, terminator: Terminator, cells: impl Iterator<Item = String>) -> Vec<u8> {
    let mut writer = WriterBuilder::new()
        .delimiter(delimiter)
        .terminator(terminator)
        .quote_style(QuoteStyle::Necessary)
        .flexible(true)
        .from_writer(Vec::new());
    // OK because memory is writable.
    writer.write_record(cells.map(String::into_bytes)).expect("a line is written to memory");
    writer.into_inner().expect("a line is written to memory")
}

/// A cell that came from outside: as it is, unless a spreadsheet would take it for a formula.
pub(super) fn foreign(cell: &str) -> String {
    let text = cell.trim();
    // A dash stands for nothing, and a negative number is a number.
    let is_number = text.strip_prefix(['-', '+']).unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    // Line breaks inside a cell are the platform's own; at its beginning they hide what follows.
    let line = cell.replace(['\r', '\n', '\t'], " ");
    if is_number || inert::cell(&line) == line { cell.to_owned() } else { inert::cell(cell) }
}

/// What stands between the cells: the mark that the header has most of, outside quotes.
fn delimiter(bytes: &[u8]) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    let mut is_quoted = false;
    for &byte in bytes.iter().take(1 << 16) {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            _ if !is_quoted => {
                if let Some((_, count)) = counts.iter_mut().find(|(mark, _)| *mark == byte) {
                    *count += 1;
                }
            }
            _ => {}
        }
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(mark, _)| mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Template<'_> {
        Template::read(Path::new("template.csv"), text.as_bytes()).expect("it is a table")
    }

    #[test]
    fn what_nothing_changes_leaves_as_it_came() {
        for text in [
            "a,b,c\n1,\"x, y\",-\n2,,\n",
            "\u{feff}a;b;c\r\n1;\"x; y\";3,5\r\n2;;\r\n",
            "a,b\n\"line\nbreak\",2",
            "\"a\",\"b\"\r\n\"1\",\"2\"\r\n",
            "a\tb\n1\t2\n",
        ] {
            assert_eq!(String::from_utf8(read(text).filled(&BTreeMap::new())).expect("UTF-8"), text);
        }
    }

    #[test]
    fn cells_change_and_formulas_do_not_leave() {
        let template = read("\u{feff}who;grade\r\nAda;\r\n=1+1;2,5\r\n-;-1\r\n");
        let out = template.filled(&BTreeMap::from([((0, 1), "3,5".to_owned()), ((2, 3), "a;b".to_owned())]));
        assert_eq!(String::from_utf8(out).expect("UTF-8"), "\u{feff}who;grade\r\nAda;3,5\r\n'=1+1;2,5\r\n-;-1;;\"a;b\"\r\n");
    }

    #[test]
    fn other_encodings_are_refused_and_not_guessed() {
        let told = Template::read(Path::new("t.csv"), b"Name,Grade\nZo\xeb,\n").expect_err("Latin 1").to_string();
        assert!(told.contains("not UTF-8"), "{told}");
        assert!(Template::read(Path::new("t.csv"), b"").is_err());
    }
}
