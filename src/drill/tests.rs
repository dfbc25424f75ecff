use super::*;

#[test]
fn every_built_in_drill_is_clean() {
    let library = Library::built_in();
    for id in library.ids() {
        let drill = library.load(id).unwrap_or_else(|trouble| panic!("{id}: {trouble:#?}"));
        assert_eq!(drill.id, id);
    }
}
