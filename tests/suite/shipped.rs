//! The drills that are built in, loaded once for all tests, and answers read from files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use drillmark::answer::Answer;
use drillmark::drill::{Drill, Library};

static DRILLS: LazyLock<BTreeMap<String, Drill>> = LazyLock::new(|| {
    let library = Library::built_in();
    let load = |id: &str| {
        let drill = library.load(id).unwrap_or_else(|diagnostics| panic!("{id}: {diagnostics:#?}"));
        (id.to_owned(), drill)
    };
    library.ids().map(load).collect()
});

/// A drill that is built in.
pub(crate) fn drill(id: &str) -> &'static Drill {
    DRILLS.get(id).unwrap_or_else(|| panic!("no drill `{id}` is built in"))
}

/// Whether a drill is built in.
pub(crate) fn has(id: &str) -> bool {
    DRILLS.contains_key(id)
}

/// An answer as a file holds it.
pub(crate) fn answer(path: &Path) -> Answer {
    let bytes = fs::read(path).expect("a listed file is readable");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Answer::read_bytes(name, &bytes, None, usize::MAX).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All drills that are built in.
pub(crate) fn drills() -> impl Iterator<Item = &'static Drill> {
    DRILLS.values()
}
