//! The log of decisions: a line each, never changed, each chained to the one before by its digest.
//!
//! A line is the JSON of an [`Entry`] with its own digest as the last key: `…,"prev":"…","hash":"…"}`. The digest is of
//! the line without that key, and `prev` is the digest of the line before, so that no line can be changed, removed or
//! moved without the chain showing it. That the last lines were cut off shows in `decisions.head`, which holds the number
//! and digest of the last line and is written after it.
//!
//! Every line is on the disk before the next key is read. A line that a power loss cut in two has no end: it is put aside
//! into `decisions.torn`, and nothing else is lost.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cohort::Trouble;
use crate::report::inert;
use crate::text;

/// The log.
pub(crate) const LOG: &str = "decisions.jsonl";
/// Held by whoever writes the log.
pub(crate) const LOCK: &str = "decisions.lock";
/// The number and digest of the last line.
const HEAD: &str = "decisions.head";
/// Lines that were cut in two.
const TORN: &str = "decisions.torn";
/// What the first line is chained to.
const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// The last key of a line, with its digest: `,"hash":"…"}`.
const TAIL: usize = r#","hash":""}"#.len() + 64;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number, from 1.
    pub n: u64,
    /// When, in universal time: `2026-09-02T23:59:00Z`.
    pub time: String,
    /// Who.
    pub by: String,
    /// What.
    #[serde(flatten)]
    pub act: Act,
    /// The digest of the line before.
    pub prev: String,
}

/// What a line of the log does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "nearly every line is a decision, so a box would cost more than it saves")]
pub enum Act {
    /// Something was decided.
    Decide(Decision),
    /// An earlier line counts no longer.
    Undo {
        /// Its number.
        of: u64,
    },
}

/// What kind of thing is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An asked quantity.
    Quantity,
    /// A criterion.
    #[default]
    Criterion,
    /// A whole answer, in which nothing that is asked was found.
    Answer,
}

impl Kind {
    /// The name in files.
    pub fn code(self) -> &'static str {
        match self {
            Kind::Quantity => "quantity",
            Kind::Criterion => "criterion",
            Kind::Answer => "answer",
        }
    }
}

/// A decision of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The drill's id.
    pub drill: String,
    /// What kind of thing was decided.
    pub kind: Kind,
    /// The id of the criterion or the ask.
    pub id: String,
    /// The submission that was looked at; where several say the same, the first.
    pub submission: String,
    /// Of the bytes of that submission.
    pub answer: String,
    /// The digest of what the decision rests on.
    pub passage: String,
    /// The digest of what was asked: of the criterion or the ask.
    pub criterion: String,
    /// `met`, `partly` or `not_met`; of a quantity a verdict, such as `correct`; of a whole answer `not_met` where nothing in it counts.
    pub outcome: String,
    /// The share of the points, where a level was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Of a quantity, the value that is meant, as the student wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// A word to the student.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// What the rules had decided, where they had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Whether it was decided a second time, without seeing the first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second: bool,
    /// Whether it settles a disagreement, both sides seen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settles: bool,
    /// How long it took, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

/// What is wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The line, from 1.
    pub line: u64,
    /// What is the matter: a sentence without its stop.
    pub what: String,
}

/// What came of checking a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Lines that are as they were written.
    pub lines: u64,
    /// The first thing that is wrong.
    pub flaw: Option<Flaw>,
    /// Whether the last line was cut in two, as by a power loss.
    pub torn: bool,
}

/// A log that is open for writing, and locked for us as long as this lives.
#[derive(Debug)]
pub struct Log {
    folder: PathBuf,
    file: File,
    _lock: File,
    entries: Vec<Entry>,
    last: String,
    torn: Option<PathBuf>,
}

impl Log {
    /// The entries of a run's log; none where there is no log. Somebody may be writing it.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not as it was written.
    pub fn read(folder: &Path) -> Result<Vec<Entry>, Trouble> {
        let told = read(folder)?;
        match told.flaw {
            None => Ok(told.entries),
            Some(flaw) => Err(refused(folder, &flaw)),
        }
    }

    /// Checks a run's log.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn verify(folder: &Path) -> Result<Verified, Trouble> {
        let told = read(folder)?;
        Ok(Verified { lines: told.entries.len() as u64, flaw: told.flaw, torn: !told.torn.is_empty() })
    }

    /// Opens a run's log for writing. `who` is told to whoever comes while it is open. A line that was cut in two is put aside.
    ///
    /// # Errors
    ///
    /// When somebody else has it open, or it is not as it was written.
    pub fn open(folder: &Path, who: &str) -> Result<Log, Trouble> {
        for name in [LOG, LOCK, HEAD, TORN] {
            let path = folder.join(name);
            if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
                return Err(Trouble::unfit(&path, "is a link, and nothing is written through links"));
            }
        }
        let lock = lock(folder, who)?;
        let told = read(folder)?;
        if let Some(flaw) = &told.flaw {
            return Err(refused(folder, flaw));
        }
        let path = folder.join(LOG);
        let io = |error| Trouble::io(&path, error);
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        let mut torn = None;
        if !told.torn.is_empty() {
            let aside = folder.join(TORN);
            let mut kept = OpenOptions::new().append(true).create(true).open(&aside).map_err(|error| Trouble::io(&aside, error))?;
            kept.write_all(&told.torn).and_then(|()| kept.write_all(b"\n")).map_err(|error| Trouble::io(&aside, error))?;
            kept.sync_all().map_err(|error| Trouble::io(&aside, error))?;
            file.set_len(told.whole).map_err(io)?;
            torn = Some(aside);
        }
        file.seek(SeekFrom::End(0)).map_err(io)?;
        file.sync_all().map_err(io)?;
        // The names of new files are on the disk only when their folder is.
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(Log { folder: folder.to_owned(), file, _lock: lock, entries: told.entries, last: told.last, torn })
    }

    /// Where a line was put aside that had been cut in two.
    pub fn torn(&self) -> Option<&Path> {
        self.torn.as_deref()
    }

    /// The lines so far.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Writes a line down; when this returns it is on the disk.
    ///
    /// # Errors
    ///
    /// When it cannot be written. Then nothing of it is in the log.
    pub fn append(&mut self, time: String, by: &str, act: Act) -> Result<&Entry, Trouble> {
        let entry = Entry { n: self.entries.len() as u64 + 1, time, by: by.to_owned(), act, prev: self.last.clone() };
        let (line, hash) = written(&entry);
        let path = self.folder.join(LOG);
        let end = self.file.stream_position().map_err(|error| Trouble::io(&path, error))?;
        if let Err(error) = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data()) {
            // A full disk may have taken half of it.
            let _ = self.file.set_len(end);
            let _ = self.file.seek(SeekFrom::Start(end));
            return Err(Trouble::io(&path, error));
        }
        write_head(&self.folder, entry.n, &hash)?;
        self.last = hash;
        self.entries.push(entry);
        Ok(&self.entries[self.entries.len() - 1])
    }
}

/// The line of an entry, and its digest.
fn written(entry: &Entry) -> (String, String) {
    let body = inert::json(serde_json::to_string(entry).expect("an entry is JSON"));
    let hash = text::sha256(body.as_bytes());
    let line = format!("{},\"hash\":\"{hash}\"}}\n", &body[..body.len() - 1]);
    (line, hash)
}

fn write_head(folder: &Path, n: u64, hash: &str) -> Result<(), Trouble> {
    let (path, part) = (folder.join(HEAD), folder.join("decisions.head.part"));
    let write = || -> io::Result<()> {
        let mut file = File::create(&part)?;
        file.write_all(format!("{n} {hash}\n").as_bytes())?;
        file.sync_data()?;
        fs::rename(&part, &path)
    };
    write().map_err(|error| Trouble::io(&path, error))
}

/// The file that only one desk can hold; in it stands who does.
fn lock(folder: &Path, who: &str) -> Result<File, Trouble> {
    let path = folder.join(LOCK);
    let told = |error| Trouble::io(&path, error);
    let mut lock = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(told)?;
    match lock.try_lock() {
        Ok(()) => {
            lock.set_len(0).and_then(|()| lock.write_all(who.as_bytes())).map_err(told)?;
            Ok(lock)
        }
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = (&mut lock).take(400).read_to_string(&mut holder);
            let holder = if holder.trim().is_empty() { "somebody" } else { holder.trim() };
            Err(Trouble::unfit(folder, format!("{holder} has the review desk open; one at a time writes down decisions")))
        }
        Err(TryLockError::Error(error)) => Err(told(error)),
    }
}

fn refused(folder: &Path, flaw: &Flaw) -> Trouble {
    let what = format!("line {}: {}; nothing is built on a log that was changed", flaw.line, flaw.what);
    Trouble::unfit(&folder.join(LOG), what)
}

/// What stands in a log.
#[derive(Default)]
struct Told {
    /// The entries up to the first flaw.
    entries: Vec<Entry>,
    /// The digest of the last of them.
    last: String,
    /// Bytes up to the end of the last whole line.
    whole: u64,
    /// What follows that.
    torn: Vec<u8>,
    flaw: Option<Flaw>,
}

fn read(folder: &Path) -> Result<Told, Trouble> {
    let path = folder.join(LOG);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Trouble::io(&path, error)),
    };
    let head = match fs::read_to_string(folder.join(HEAD)) {
        // What a power loss left of it says nothing.
        Ok(text) => text.trim().split_once(' ').and_then(|(n, hash)| Some((n.parse::<u64>().ok()?, hash.to_owned()))),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(Trouble::io(&folder.join(HEAD), error)),
    };
    Ok(check(&bytes, head))
}

/// Reads the lines one after the other until something is wrong.
fn check(bytes: &[u8], head: Option<(u64, String)>) -> Told {
    let mut told = Told { last: START.to_owned(), ..Told::default() };
    let mut rest = bytes;
    let mut at_head = None;
    while !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b'\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        let is_last = end.is_none_or(|end| end + 1 == rest.len());
        // Without its end, or full of what a disk gives for bytes that it never wrote, a last line was cut in two.
        if end.is_none() || is_last && line.contains(&0) {
            told.torn = rest.to_vec();
            break;
        }
        let n = told.entries.len() as u64 + 1;
        let (entry, hash) = match entry(line) {
            Ok(read) => read,
            Err(what) => {
                told.flaw = Some(Flaw { line: n, what: what.to_owned() });
                return told;
            }
        };
        if entry.n != n || entry.prev != told.last {
            let what = "does not follow the line before it: lines were removed, added or moved".to_owned();
            told.flaw = Some(Flaw { line: n, what });
            return told;
        }
        if head.as_ref().is_some_and(|(of, _)| *of == n) {
            at_head = Some(hash.clone());
        }
        told.entries.push(entry);
        told.last = hash;
        rest = &rest[line.len() + 1..];
        told.whole += line.len() as u64 + 1;
    }
    if let Some((n, hash)) = head
        && at_head.as_ref() != Some(&hash)
    {
        let lines = told.entries.len() as u64;
        told.flaw = Some(match n > lines {
            true => {
                let gone = if n - lines == 1 { "one line is".to_owned() } else { format!("{} lines are", n - lines) };
                Flaw { line: lines + 1, what: format!("is missing: {gone} cut off at the end, by `{HEAD}`") }
            }
            false => Flaw { line: n, what: format!("is not the one that was written, by `{HEAD}`") },
        });
    }
    told
}

/// An entry and its digest, as a line has them.
fn entry(line: &[u8]) -> Result<(Entry, String), &'static str> {
    const CHANGED: &str = "was changed after it was written";
    let line = std::str::from_utf8(line).map_err(|_| CHANGED)?;
    let at = line.len().checked_sub(TAIL).filter(|at| line.is_char_boundary(*at)).ok_or(CHANGED)?;
    let hash = line[at..].strip_prefix(",\"hash\":\"").and_then(|rest| rest.strip_suffix("\"}")).ok_or(CHANGED)?;
    let body = format!("{}}}", &line[..at]);
    if text::sha256(body.as_bytes()) != hash {
        return Err(CHANGED);
    }
    let entry = serde_json::from_str(&body).map_err(|_| "is of a kind that this version does not know")?;
    Ok((entry, hash.to_owned()))
}

#[cfg(test)]
mod tests;
