//! What zip and tar have in common: which names are taken in, and how much.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Leaf, Limits, Place, Refused};
use crate::cohort::{Trouble, name};

/// The names of an archive, as they are taken in one after the other.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) leaves: Vec<Leaf>,
    pub(super) refused: Vec<Refused>,
    /// Which leaf has a name in its folded form: some systems take names that are the same there for the same.
    seen: BTreeMap<String, usize>,
    total: u64,
    entries: usize,
}

impl Names {
    /// Counts an entry, whatever it is.
    pub(super) fn count(&mut self, input: &Path, limits: &Limits) -> Result<(), Trouble> {
        self.entries += 1;
        if self.entries > limits.entries {
            return Err(Trouble::unfit(input, format!("holds more than {} entries", limits.entries)));
        }
        Ok(())
    }

    /// Takes in a regular file of so many bytes, or refuses it. `packed`: its size inside the archive.
    pub(super) fn file(
        &mut self,
        input: &Path,
        name: &[u8],
        (size, packed): (u64, u64),
        place: Place,
        limits: &Limits,
    ) -> Result<(), Trouble> {
        let path = match clean(name, limits) {
            Ok(path) if path.split('/').any(is_hidden) => return Ok(()),
            Ok(path) => path,
            Err(why) => {
                self.refuse(name, why);
                return Ok(());
            }
        };
        self.total = self.total.saturating_add(size);
        if self.total > limits.total {
            return Err(Trouble::unfit(input, format!("unpacks to more than {} GB", limits.total / 1_000_000_000)));
        }
        // A short file of spaces packs well and harms nobody.
        if size > 1_000_000 && size / limits.ratio > packed {
            self.refuse(name, "unpacks to far more than text does");
        } else if let Some(other) = self.seen.get(&name::folded(&path)) {
            let why = match &self.leaves[*other].path {
                other if *other == path => "stands in the archive twice; the first was taken",
                other if other.to_lowercase() == path.to_lowercase() => "differs from another name only in capitals",
                _ => "differs from another name only in how its letters are put together",
            };
            self.refuse(name, why);
        } else {
            self.seen.insert(name::folded(&path), self.leaves.len());
            self.leaves.push(Leaf { path, place });
        }
        Ok(())
    }

    /// Refuses an entry by name. Hidden ones are not worth a word.
    pub(super) fn refuse(&mut self, name: &[u8], why: impl Into<String>) {
        let name = String::from_utf8_lossy(name);
        self.refused.push(Refused { path: name.strip_prefix("./").unwrap_or(&name).to_owned(), why: why.into() });
    }

    pub(super) fn sorted(mut self) -> Names {
        self.leaves.sort_by(|a, b| a.path.cmp(&b.path));
        self.refused.sort_by(|a, b| a.path.cmp(&b.path));
        self
    }
}

/// What systems and tools leave behind, and what nobody meant to hand in.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || matches!(name, "__MACOSX" | "Thumbs.db" | "desktop.ini" | "node_modules" | "__pycache__")
}

/// The name with `/` between its folders, or why it is not one that stays inside the class.
fn clean(name: &[u8], limits: &Limits) -> Result<String, &'static str> {
    let name = String::from_utf8_lossy(name);
    // Some Windows tools write their own separator.
    let name = name.replace('\\', "/");
    if name.starts_with('/') {
        return Err("is an absolute name");
    }
    if name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic() {
        return Err("names a drive");
    }
    if name.contains('\0') {
        return Err("has a null character in its name");
    }
    if name.len() > 4096 {
        return Err("has too long a name");
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return Err("leads out of the class with `..`");
    }
    if parts.len() > limits.depth {
        return Err("lies too deep in folders");
    }
    if parts.is_empty() {
        return Err("has no name");
    }
    Ok(parts.join("/"))
}
