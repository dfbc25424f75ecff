//! Rows that are done: those of the last time, and the journal of this time.
//!
//! A line of the journal is a row and then its lines for the review file, with tabs between them. JSON writes a tab as
//! `\t`, so neither tabs nor line ends stand inside. A line that was cut off when the process was killed has no end, and
//! is cut away.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rawzip::{FileReader, ReaderAt};
use serde::Deserialize;

use super::folder::Folder;
use crate::cohort::Trouble;
use crate::cohort::read::{GRADES, REVIEW};

/// The name of the journal in the run folder.
pub(crate) const JOURNAL: &str = "journal.jsonl";

/// Where a row is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// A line of the journal.
    Journal(Stretch),
    /// A line of the last `grades.jsonl`, and its lines of the last `review.jsonl`.
    Last { row: Stretch, review: Stretch },
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stretch {
    start: u64,
    len: u64,
}

/// The rows that were done before, by the digest of what they follow from; the id is part of that.
#[derive(Clone, Debug)]
pub(super) struct Known(Arc<BTreeMap<[u8; 32], Place>>);

impl Known {
    /// The row that follows from the same.
    pub(super) fn find(&self, inputs: &str) -> Option<Place> {
        self.0.get(&digest(inputs)?).copied()
    }
}

/// The rows that are done.
#[derive(Debug)]
pub(super) struct Ledger {
    known: Known,
    path: PathBuf,
    journal: BufWriter<File>,
    end: u64,
    reader: FileReader,
    last: Option<(FileReader, Option<FileReader>)>,
}

/// What is needed to find a row again.
#[derive(Deserialize)]
struct Key {
    #[serde(default)]
    inputs: String,
    submission: Whose,
}

#[derive(Deserialize)]
struct Whose {
    id: String,
}

#[derive(Deserialize)]
struct ReviewLine {
    submission: String,
}

impl Ledger {
    /// Finds out which rows are there from the last time.
    pub(super) fn open(folder: &Folder) -> Result<Ledger, Trouble> {
        let mut known = BTreeMap::new();
        let last = last_rows(folder, &mut known)?;
        let path = folder.join(JOURNAL);
        let told = |error| Trouble::io(&path, error);
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(told)?;
        let mut end = 0;
        each_line(&path, |stretch, line| {
            // A line without its end was cut off; nothing follows it.
            if line.ends_with(b"\n") {
                end = stretch.start + stretch.len;
                let row = line.split(|&byte| byte == b'\t').next().unwrap_or_default();
                if let Ok(key) = serde_json::from_slice::<Key>(row)
                    && let Some(digest) = digest(&key.inputs)
                {
                    known.insert(digest, Place::Journal(stretch));
                }
            }
        })?;
        file.set_len(end).map_err(told)?;
        file.seek(SeekFrom::End(0)).map_err(told)?;
        let reader = FileReader::from(File::open(&path).map_err(told)?);
        Ok(Ledger { known: Known(Arc::new(known)), journal: BufWriter::with_capacity(1 << 16, file), end, reader, last, path })
    }

    /// The rows that were done before.
    pub(super) fn known(&self) -> Known {
        self.known.clone()
    }

    /// Writes a line down; it ends with a line end.
    pub(super) fn append(&mut self, line: &str) -> Result<Place, Trouble> {
        self.journal.write_all(line.as_bytes()).map_err(|error| Trouble::io(&self.path, error))?;
        let stretch = Stretch { start: self.end, len: line.len() as u64 };
        self.end += stretch.len;
        Ok(Place::Journal(stretch))
    }

    /// Hands everything to the system, which keeps it when the process is killed.
    pub(super) fn flush(&mut self) -> Result<(), Trouble> {
        self.journal.flush().map_err(|error| Trouble::io(&self.path, error))
    }

    /// A row, and its lines for the review file, each with its end.
    pub(super) fn read(&self, place: Place) -> Result<(String, String), Trouble> {
        match (place, &self.last) {
            (Place::Journal(stretch), _) => {
                let line = self.text(&self.reader, stretch)?;
                let (row, review) = line.trim_end_matches('\n').split_once('\t').unwrap_or((line.trim_end_matches('\n'), ""));
                let review = if review.is_empty() { String::new() } else { review.replace('\t', "\n") + "\n" };
                Ok((row.to_owned() + "\n", review))
            }
            (Place::Last { row, review }, Some((rows, reviews))) => {
                let review = match reviews {
                    Some(reviews) => self.text(reviews, review)?,
                    None => String::new(),
                };
                Ok((self.text(rows, row)?, review))
            }
            (Place::Last { .. }, None) => unreachable!("a row of the last time was found in its file"),
        }
    }

    fn text(&self, file: &FileReader, stretch: Stretch) -> Result<String, Trouble> {
        let mut bytes = vec![0; usize::try_from(stretch.len).unwrap_or_default()];
        file.read_exact_at(&mut bytes, stretch.start).map_err(|error| Trouble::io(&self.path, error))?;
        String::from_utf8(bytes).map_err(|_| Trouble::unfit(&self.path, "is no longer what it was"))
    }

    /// Removes the journal: everything in it stands in the files of the run.
    pub(super) fn close(self) -> Result<(), Trouble> {
        fs::remove_file(&self.path).map_err(|error| Trouble::io(&self.path, error))
    }
}

/// Finds the rows of the last time, and keeps their files open: they are read until the new ones have their names.
fn last_rows(folder: &Folder, known: &mut BTreeMap<[u8; 32], Place>) -> Result<Option<(FileReader, Option<FileReader>)>, Trouble> {
    let path = folder.join(GRADES);
    let review_path = folder.join(REVIEW);
    let Some(rows) = open(&path)? else { return Ok(None) };
    let reviews = open(&review_path)?;
    let mut review_of: BTreeMap<String, Stretch> = BTreeMap::new();
    each_line(&review_path, |stretch, line| {
        if let Ok(ReviewLine { submission }) = serde_json::from_slice(line) {
            review_of.entry(submission).and_modify(|known| known.len += stretch.len).or_insert(stretch);
        }
    })?;
    each_line(&path, |row, line| {
        if let Ok(Key { inputs, submission }) = serde_json::from_slice(line)
            && let Some(digest) = digest(&inputs)
            && line.ends_with(b"\n")
        {
            let review = review_of.get(&submission.id).copied().unwrap_or_default();
            known.insert(digest, Place::Last { row, review });
        }
    })?;
    Ok(Some((rows, reviews)))
}

fn open(path: &Path) -> Result<Option<FileReader>, Trouble> {
    match File::open(path) {
        Ok(file) => Ok(Some(FileReader::from(file))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Trouble::io(path, error)),
    }
}

fn each_line(path: &Path, mut see: impl FnMut(Stretch, &[u8])) -> Result<(), Trouble> {
    let told = |error| Trouble::io(path, error);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(told(error)),
    };
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut start) = (Vec::new(), 0);
    loop {
        line.clear();
        let len = lines.read_until(b'\n', &mut line).map_err(told)? as u64;
        if len == 0 {
            return Ok(());
        }
        see(Stretch { start, len }, &line);
        start += len;
    }
}

/// A digest from its hexadecimal form.
fn digest(hex: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hex[at * 2..at * 2 + 2], 16).ok()?;
    }
    Some(bytes)
}
