//! Zip archives: the list of entries, and one entry's bytes.

use std::fs::File;
use std::io::{Read, Take};
use std::path::Path;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};

use super::archive::Names;
use super::{Limits, Place};
use crate::cohort::Trouble;

pub(super) fn list(input: &Path, file: File, limits: &Limits) -> Result<(ZipArchive<FileReader>, Names), Trouble> {
    let broken = |error: rawzip::Error| Trouble::unfit(input, format!("is not a whole zip archive: {error}"));
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(broken)?;
    let mut names = Names::default();
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(broken)? {
        names.count(input, limits)?;
        let path = entry.file_path();
        let name = path.as_bytes();
        if entry.mode().is_symlink() {
            names.refuse(name, "is a link, and links are not followed");
        } else if entry.flags().is_encrypted() {
            names.refuse(name, "is locked with a password");
        } else if !entry.is_dir() {
            let sizes = (entry.uncompressed_size_hint(), entry.compressed_size_hint());
            names.file(input, name, sizes, Place::Entry(entry.wayfinder()), limits)?;
        }
    }
    Ok((archive, names.sorted()))
}

/// The bytes of an entry, one more than `limit` at most; what they unpack to has to agree with what the archive says.
pub(super) fn read(archive: &ZipArchive<FileReader>, wayfinder: ZipArchiveEntryWayfinder, limit: u64) -> Result<Vec<u8>, String> {
    let broken = |error: rawzip::Error| format!("is broken in the archive: {error}");
    let entry = archive.get_entry(wayfinder).map_err(broken)?;
    let mut buffer = vec![0; 1 << 10];
    let method = entry.local_header(&mut buffer).map_err(broken)?.compression_method();
    match method {
        CompressionMethod::STORE => take(entry.verifying_reader(entry.reader()).take(limit + 1)),
        CompressionMethod::DEFLATE => take(entry.verifying_reader(DeflateDecoder::new(entry.reader())).take(limit + 1)),
        _ => Err("is packed in a way that is not read; pack it again as plain zip".to_owned()),
    }
}

fn take(mut reader: Take<impl Read>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|error| format!("is broken in the archive: {error}"))?;
    Ok(bytes)
}
