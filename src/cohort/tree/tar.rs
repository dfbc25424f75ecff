//! Tar archives, plain and packed with gzip.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};

use super::archive::Names;
use super::{Limits, Place};
use crate::cohort::Trouble;

/// What a packed tar unpacks to, from its beginning.
pub(super) fn unpack(input: &Path) -> io::Result<MultiGzDecoder<BufReader<File>>> {
    Ok(MultiGzDecoder::new(BufReader::with_capacity(1 << 16, File::open(input)?)))
}

/// Lists a tar; `packed` is the size of the file that it is unpacked from.
pub(super) fn list(input: &Path, reader: impl Read, packed: u64, limits: &Limits) -> Result<Names, Trouble> {
    // Whatever the headers say, no more than this is unpacked to find out.
    let most = limits.total.min(packed.saturating_mul(limits.ratio)).saturating_add(10_000_000);
    let mut reader = Counted { reader, left: most };
    let mut names = Names::default();
    let walked = walk(input, &mut reader, limits, &mut names);
    if reader.left == 0 {
        return Err(Trouble::unfit(input, "unpacks to far more than text does"));
    }
    walked?;
    Ok(names.sorted())
}

fn walk(input: &Path, reader: impl Read, limits: &Limits, names: &mut Names) -> Result<(), Trouble> {
    let broken = |error: io::Error| Trouble::unfit(input, format!("is not a whole tar archive: {error}"));
    let mut archive = Archive::new(reader);
    for entry in archive.entries().map_err(broken)? {
        let entry = entry.map_err(broken)?;
        names.count(input, limits)?;
        let name = entry.path_bytes();
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {
                let (size, start) = (entry.size(), entry.raw_file_position());
                names.file(input, &name, (size, size), Place::Slice { start, len: size }, limits)?;
            }
            EntryType::Directory | EntryType::XGlobalHeader => {}
            EntryType::Symlink | EntryType::Link => names.refuse(&name, "is a link, and links are not followed"),
            _ => names.refuse(&name, "is not a regular file"),
        }
    }
    Ok(())
}

/// Ends after so many bytes.
struct Counted<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.reader.read(&mut buffer[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}

/// Goes through what a packed tar unpacks to; it only goes forward.
pub(crate) struct Forward {
    reader: MultiGzDecoder<BufReader<File>>,
    at: u64,
    limit: u64,
}

impl Forward {
    pub(super) fn open(input: &Path, limit: u64) -> io::Result<Forward> {
        Ok(Forward { reader: unpack(input)?, at: 0, limit })
    }

    /// The stretch from `start`, which is not before the end of the last one.
    pub(crate) fn read(&mut self, start: u64, len: u64) -> Result<Vec<u8>, String> {
        let told = |error: io::Error| super::reason(&error);
        if len > self.limit {
            return Err(format!("is larger than {} MB", self.limit / 1_000_000));
        }
        let skip = start.checked_sub(self.at).expect("stretches are read in their order");
        self.at += io::copy(&mut (&mut self.reader).take(skip), &mut io::sink()).map_err(told)?;
        let mut bytes = Vec::new();
        self.at += (&mut self.reader).take(len).read_to_end(&mut bytes).map_err(told)? as u64;
        if bytes.len() as u64 == len { Ok(bytes) } else { Err("is shorter than it says".to_owned()) }
    }
}
