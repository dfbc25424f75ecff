//! The folder of a run: ours alone while we write, and nothing in it leads elsewhere.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::JOURNAL;
use crate::cohort::Trouble;
use crate::cohort::read::{FEEDBACK, GRADEBOOK, GRADES, REVIEW, RUN};
use crate::cohort::review::{LOG, MARKING};

const LOCK: &str = "lock";

/// A run folder that is locked for us as long as this lives, also when the process is killed.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes or opens the folder and locks it.
    pub(super) fn open(path: &Path, input: &Path) -> Result<Folder, Trouble> {
        let told = |error| Trouble::io(path, error);
        refuse_link(path)?;
        if let (Some(parent), Ok(class)) = (existing(path), input.canonicalize())
            && parent.starts_with(&class)
            && class.is_dir()
        {
            return Err(Trouble::unfit(
                path,
                "lies inside the class, and would be taken for a submission the next time; put it beside the class",
            ));
        }
        if path.is_dir() && !is_ours(path).map_err(told)? {
            return Err(Trouble::unfit(path, "is not empty and not the folder of a run"));
        }
        fs::create_dir_all(path).map_err(told)?;
        for name in [LOCK, JOURNAL, RUN, GRADES, REVIEW, GRADEBOOK, FEEDBACK, LOG, MARKING] {
            refuse_link(&path.join(name))?;
        }
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(path.join(LOCK)).map_err(told)?;
        match lock.try_lock() {
            Ok(()) => Ok(Folder { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Trouble::unfit(path, "another run is writing into it")),
            Err(TryLockError::Error(error)) => Err(told(error)),
        }
    }

    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A file of the run, to be renamed to its name when it is whole.
    pub(super) fn write(&self, name: &str) -> Result<Part, Trouble> {
        Part::new(self.path.join(name))
    }

    /// Makes the folder of the feedback files.
    pub(super) fn make_feedback(&self) -> Result<(), Trouble> {
        let path = self.join(FEEDBACK);
        fs::create_dir_all(&path).map_err(|error| Trouble::io(&path, error))
    }

    /// Removes the feedback files of submissions that are no longer there, and whatever an interrupted run left half done.
    pub(super) fn keep_feedback(&self, names: &BTreeSet<String>) -> Result<(), Trouble> {
        let path = self.join(FEEDBACK);
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Trouble::io(&path, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| Trouble::io(&path, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_ours = [".md", ".txt", ".html", ".part"].iter().any(|ending| name.ends_with(ending));
            if is_ours && !names.contains(&name) {
                fs::remove_file(entry.path()).map_err(|error| Trouble::io(&entry.path(), error))?;
            }
        }
        Ok(())
    }
}

/// A file that is written under another name until it is whole. Dropped before that, it is gone.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    part: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Part {
    pub(super) fn new(path: PathBuf) -> Result<Part, Trouble> {
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        // The folder is locked: what lies there is from a run that was killed. A link is removed, not followed.
        match fs::remove_file(&part) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(Trouble::io(&part, error)),
            _ => {}
        }
        let file = OpenOptions::new().write(true).create_new(true).open(&part).map_err(|error| Trouble::io(&part, error))?;
        Ok(Part { path, part, file: Some(BufWriter::with_capacity(1 << 16, file)) })
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> Result<(), Trouble> {
        let told = |error: io::Error| Trouble::io(&self.path, error);
        if let Some(mut file) = self.file.take() {
            file.flush().map_err(told)?;
        }
        fs::rename(&self.part, &self.path).map_err(told)
    }

    /// What has been written so far, to be read back.
    pub(super) fn reopen(&mut self) -> Result<File, Trouble> {
        let flushed = self.flush().and_then(|()| File::open(&self.part));
        flushed.map_err(|error| Trouble::io(&self.path, error))
    }

    /// Trouble with writing it.
    pub(super) fn told(&self, error: io::Error) -> Trouble {
        Trouble::io(&self.path, error)
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // The trouble that brought us here is the one to tell.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// The first folder above that exists, by its real name.
fn existing(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find_map(|above| above.canonicalize().ok())
}

fn refuse_link(path: &Path) -> Result<(), Trouble> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(Trouble::unfit(path, "is a link, and nothing is written through links")),
        _ => Ok(()),
    }
}

/// Whether nothing but a run may lie there.
fn is_ours(path: &Path) -> io::Result<bool> {
    let mut is_empty = true;
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        if [LOCK, JOURNAL, RUN, GRADES].iter().any(|ours| name == *ours) {
            return Ok(true);
        }
        is_empty = false;
    }
    Ok(is_empty)
}
