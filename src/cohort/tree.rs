//! A folder, a zip or a tar as one list of files with their places, and the way back to their bytes.
//!
//! Nothing is ever unpacked to disk: the bytes of an entry are read into memory, one at a time, under [`Limits`]. What a
//! careless program would follow (links, absolute names, `..`, drive letters, the same name twice) is refused by name.

mod archive;
mod folder;
mod tar;
mod zip;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rawzip::{FileReader, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder};

use crate::cohort::Trouble;

pub(crate) use self::tar::Forward;

/// How much of the outside is let in.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Files in one class.
    pub entries: usize,
    /// Bytes of one file; a larger one is no answer to a drill.
    pub size: u64,
    /// Bytes of all the files of an archive, unpacked.
    pub total: u64,
    /// How many times larger than it is packed a file may become. Text reaches 20, a bomb 1000.
    pub ratio: u64,
    /// Folders inside one another.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { entries: 1_000_000, size: 10_000_000, total: 20_000_000_000, ratio: 250, depth: 24 }
    }
}

/// A file of the class.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// Its name from the root of the class, with `/` between folders.
    pub(crate) path: String,
    pub(crate) place: Place,
}

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// In a file of its own.
    File(PathBuf),
    /// A stretch of the input (of a packed tar: of what it unpacks to).
    Slice { start: u64, len: u64 },
    /// An entry of a zip.
    Entry(ZipArchiveEntryWayfinder),
}

/// Something that is not taken in, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) path: String,
    pub(crate) why: String,
}

/// All the files of a class.
#[derive(Debug)]
pub(crate) struct Tree {
    /// In the order of their names.
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) refused: Vec<Refused>,
    pub(crate) store: Store,
}

/// Gives the bytes of a place.
#[derive(Debug)]
pub(crate) struct Store {
    input: PathBuf,
    /// By its real name, where it is a folder: every file of it lies below.
    root: Option<PathBuf>,
    limits: Limits,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    /// Each file has its own.
    Folder,
    Zip(ZipArchive<FileReader>),
    /// A tar, a table, a stream of lines: slices of one file.
    Slices(FileReader),
    /// A packed tar can only be read from its beginning.
    Packed,
}

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Zip,
    Tar,
    Gzip,
    Other,
}

impl Tree {
    /// Lists a folder, an archive, or a single file.
    pub(crate) fn open(input: &Path, limits: Limits) -> Result<Tree, Trouble> {
        let told = |error| Trouble::io(input, error);
        let store = |bytes| Store { input: input.to_owned(), root: None, limits, bytes };
        if input.metadata().map_err(told)?.is_dir() {
            let (leaves, refused) = folder::list(input, &limits)?;
            let root = Some(input.canonicalize().map_err(told)?);
            return Ok(Tree { leaves, refused, store: Store { root, ..store(Bytes::Folder) } });
        }
        let mut file = File::open(input).map_err(told)?;
        match format(&mut file).map_err(told)? {
            Format::Zip => {
                let file = File::open(input).map_err(told)?;
                let (archive, names) = zip::list(input, file, &limits)?;
                Ok(Tree { leaves: names.leaves, refused: names.refused, store: store(Bytes::Zip(archive)) })
            }
            Format::Tar => {
                let names = tar::list(input, File::open(input).map_err(told)?, u64::MAX, &limits)?;
                let file = FileReader::from(File::open(input).map_err(told)?);
                Ok(Tree { leaves: names.leaves, refused: names.refused, store: store(Bytes::Slices(file)) })
            }
            Format::Gzip => {
                let packed = input.metadata().map_err(told)?.len();
                let names = tar::list(input, tar::unpack(input).map_err(told)?, packed, &limits)?;
                Ok(Tree { leaves: names.leaves, refused: names.refused, store: store(Bytes::Packed) })
            }
            Format::Other => {
                let path = input.file_name().unwrap_or(input.as_os_str()).to_string_lossy().into_owned();
                let leaves = vec![Leaf { path, place: Place::File(input.to_owned()) }];
                Ok(Tree { leaves, refused: Vec::new(), store: store(Bytes::Folder) })
            }
        }
    }
}

fn format(file: &mut File) -> io::Result<Format> {
    let mut start = Vec::new();
    file.take(512).read_to_end(&mut start)?;
    Ok(match start.as_slice() {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Format::Zip,
        [0x1f, 0x8b, ..] => Format::Gzip,
        _ if start.get(257..262) == Some(b"ustar") => Format::Tar,
        _ => Format::Other,
    })
}

impl Store {
    /// For an input whose stretches are the submissions.
    pub(crate) fn slices(input: &Path, limits: Limits) -> Result<Store, Trouble> {
        let file = File::open(input).map_err(|error| Trouble::io(input, error))?;
        Ok(Store { input: input.to_owned(), root: None, limits, bytes: Bytes::Slices(FileReader::from(file)) })
    }

    /// The bytes of a place, or a line for a person about why they cannot be had.
    pub(crate) fn read(&self, place: &Place) -> Result<Vec<u8>, String> {
        let bytes = match (place, &self.bytes) {
            (Place::File(path), _) => self.file(path),
            (Place::Entry(wayfinder), Bytes::Zip(archive)) => zip::read(archive, *wayfinder, self.limits.size),
            (Place::Slice { start, len }, Bytes::Slices(file)) => self.slice(file, *start, *len),
            (Place::Slice { start, len }, Bytes::Packed) => self.one_packed(*start, *len),
            _ => unreachable!("a place belongs to the store that it was listed with"),
        }?;
        if bytes.len() as u64 > self.limits.size { Err(self.too_large()) } else { Ok(bytes) }
    }

    /// For a store that can only be read from its beginning: a reader that goes forward through it.
    pub(crate) fn forward(&self) -> Option<io::Result<tar::Forward>> {
        matches!(self.bytes, Bytes::Packed).then(|| tar::Forward::open(&self.input, self.limits.size))
    }

    fn too_large(&self) -> String {
        format!("is larger than {} MB", self.limits.size / 1_000_000)
    }

    fn file(&self, path: &Path) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        // Between the listing and now, somebody may have put a link or a pipe in its place, or in that of its folder.
        if let Some(root) = &self.root {
            let is_link =
                path.canonicalize().map_err(|error| reason(&error))?.strip_prefix(root).ok() != path.strip_prefix(&self.input).ok();
            if is_link || !path.symlink_metadata().map_err(|error| reason(&error))?.is_file() {
                return Err("is a link, and links are not followed".to_owned());
            }
        }
        let file = File::open(path).map_err(|error| reason(&error))?;
        file.take(self.limits.size + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
        Ok(bytes)
    }

    fn slice(&self, file: &FileReader, start: u64, len: u64) -> Result<Vec<u8>, String> {
        if len > self.limits.size {
            return Err(self.too_large());
        }
        let mut bytes = vec![0; usize::try_from(len).map_err(|_| self.too_large())?];
        file.read_exact_at(&mut bytes, start).map_err(|error| reason(&error))?;
        Ok(bytes)
    }

    fn one_packed(&self, start: u64, len: u64) -> Result<Vec<u8>, String> {
        tar::Forward::open(&self.input, self.limits.size).map_err(|error| reason(&error))?.read(start, len)
    }
}

/// Why a file cannot be read, in words that do not depend on the system.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "is no longer there".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::UnexpectedEof => "is shorter than it says".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
