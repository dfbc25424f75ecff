//! The drills that are built in, loaded once for all tests.

use std::collections::BTreeMap;
use std::sync::LazyLock;

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

/// All drills that are built in.
pub(crate) fn drills() -> impl Iterator<Item = &'static Drill> {
    DRILLS.values()
}
