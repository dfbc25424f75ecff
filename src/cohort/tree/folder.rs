//! The files of a folder, links and hidden things left aside.

use std::fs;
use std::path::Path;

use super::{Leaf, Limits, Place, Refused, archive};
use crate::cohort::Trouble;

/// Every regular file below a folder, in the order of the names; links are refused, never followed.
pub(super) fn list(root: &Path, limits: &Limits) -> Result<(Vec<Leaf>, Vec<Refused>), Trouble> {
    let (mut leaves, mut refused) = (Vec::new(), Vec::new());
    let mut open = vec![(root.to_owned(), String::new(), 0)];
    while let Some((folder, above, depth)) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // One folder that is closed to us does not hide the others.
            Err(error) if depth > 0 => {
                refused.push(Refused { path: above, why: super::reason(&error) });
                continue;
            }
            Err(error) => return Err(Trouble::io(&folder, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| Trouble::io(&folder, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if archive::is_hidden(&name) {
                continue;
            }
            let path = if above.is_empty() { name } else { format!("{above}/{name}") };
            let sort = entry.file_type().map_err(|error| Trouble::io(&entry.path(), error))?;
            if sort.is_dir() && depth < limits.depth {
                open.push((entry.path(), path, depth + 1));
            } else if sort.is_file() && leaves.len() < limits.entries {
                leaves.push(Leaf { path, place: Place::File(entry.path()) });
            } else if sort.is_file() {
                return Err(Trouble::unfit(root, format!("holds more than {} files", limits.entries)));
            } else {
                let why = match () {
                    () if sort.is_symlink() => "is a link, and links are not followed",
                    () if sort.is_dir() => "lies too deep in folders",
                    () => "is not a regular file",
                };
                refused.push(Refused { path, why: why.to_owned() });
            }
        }
    }
    leaves.sort_by(|a, b| a.path.cmp(&b.path));
    refused.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((leaves, refused))
}
