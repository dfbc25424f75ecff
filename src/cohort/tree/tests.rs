//! Hostile archives and folders, built here: nothing is followed, nothing is dropped without a word.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

use super::*;

/// A file of the tests' own.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("drillmark-tree-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the system has a folder for such files");
    let path = folder.join(name);
    fs::write(&path, bytes).expect("it is writable");
    path
}

/// A zip of these names and texts, each name as it is given.
fn zip(entries: &[(&str, &[u8], u32)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, text, mode) in entries {
        let path = rawzip::path::EntryPath::verbatim(name.as_bytes());
        let builder = archive.new_file(path).compression_method(rawzip::CompressionMethod::DEFLATE).unix_permissions(*mode);
        let (mut entry, config) = builder.start().expect("memory is writable");
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        writer.write_all(text).expect("memory is writable");
        let (encoder, descriptor) = writer.finish().expect("memory is writable");
        encoder.finish().expect("memory is writable");
        entry.finish(descriptor).expect("memory is writable");
    }
    archive.finish().expect("memory is writable");
    bytes
}

/// A tar of the same; what is no regular file has a type of its own.
fn tar(entries: &[(&str, &[u8], u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, text, sort) in entries {
        let mut header = ::tar::Header::new_ustar();
        // Past the checks of whoever writes honest archives.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(::tar::EntryType::new(*sort));
        header.set_size(text.len() as u64);
        header.set_cksum();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(text);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory is writable");
    encoder.finish().expect("memory is writable")
}

/// What is let in with its text, and what is refused with the reason.
fn looked_at(path: &Path, limits: Limits) -> (Vec<(String, String)>, Vec<String>) {
    let tree = Tree::open(path, limits).expect("the archive as a whole is fine");
    let mut forward = tree.store.forward().map(|forward| forward.expect("it was just written"));
    let mut places: Vec<&Leaf> = tree.leaves.iter().collect();
    places.sort_by_key(|leaf| if let Place::Slice { start, .. } = leaf.place { start } else { 0 });
    let mut texts: Vec<(String, String)> = places
        .into_iter()
        .map(|leaf| {
            let bytes = match (&mut forward, &leaf.place) {
                (Some(forward), Place::Slice { start, len }) => forward.read(*start, *len),
                _ => tree.store.read(&leaf.place),
            };
            (leaf.path.clone(), bytes.map_or_else(|error| format!("! {error}"), |bytes| String::from_utf8_lossy(&bytes).into_owned()))
        })
        .collect();
    texts.sort();
    (texts, tree.refused.into_iter().map(|refused| format!("{}: {}", refused.path.escape_debug(), refused.why)).collect())
}

#[test]
fn what_leads_out_of_an_archive_is_refused_by_name() {
    let names: [&str; 12] = [
        "s1/answer.md",
        "../evil.md",
        "/etc/evil.md",
        "C:/evil.md",
        r"..\evil.md",
        r"\\server\evil.md",
        "s1/../../evil.md",
        "s1/ANSWER.md",
        "s2\\answer.md",
        "__MACOSX/s1/._answer.md",
        "./s3/./answer.md",
        "s4/.git/config",
    ];
    let zipped: Vec<(&str, &[u8], u32)> = names.iter().map(|name| (*name, b"text".as_slice(), 0o644)).collect();
    let tarred: Vec<(&str, &[u8], u8)> = names.iter().map(|name| (*name, b"text".as_slice(), b'0')).collect();
    let tarred = tar(&tarred);
    for (name, bytes) in [("evil.zip", zip(&zipped)), ("evil.tar", tarred.clone()), ("evil.tar.gz", gzip(&tarred))] {
        let (texts, refused) = looked_at(&file(name, &bytes), Limits::default());
        let taken: Vec<&str> = texts.iter().map(|(path, text)| if text == "text" { path.as_str() } else { text.as_str() }).collect();
        assert_eq!(taken, ["s1/answer.md", "s2/answer.md", "s3/answer.md"], "{name}");
        assert_eq!(refused.len(), 7, "{name}: {refused:?}");
        for told in ["`..`", "absolute", "drive", "only in capitals"] {
            assert!(refused.iter().any(|line| line.contains(told)), "{name}: {told} in {refused:?}");
        }
    }
}

#[test]
fn links_and_devices_are_refused_by_name() {
    let zipped = zip(&[("s1.md", b"/etc/passwd", 0o120_777), ("s2.md", b"text", 0o100_644)]);
    let (texts, refused) = looked_at(&file("links.zip", &zipped), Limits::default());
    assert_eq!((texts.len(), refused), (1, vec!["s1.md: is a link, and links are not followed".to_owned()]));
    let tarred = tar(&[("s1.md", b"", b'2'), ("s2.md", b"", b'1'), ("s3.md", b"", b'6'), ("s4.md", b"text", b'0'), ("s5/", b"", b'5')]);
    let (texts, refused) = looked_at(&file("links.tar", &tarred), Limits::default());
    assert_eq!((texts, refused.len()), (vec![("s4.md".to_owned(), "text".to_owned())], 3));
}

#[test]
fn the_same_name_twice_is_taken_once_and_told() {
    let bytes = zip(&[("s1.md", b"first", 0o644), ("s1.md", b"second", 0o644)]);
    let (texts, refused) = looked_at(&file("twice.zip", &bytes), Limits::default());
    assert_eq!(texts, [("s1.md".to_owned(), "first".to_owned())]);
    assert!(refused[0].contains("twice"), "{refused:?}");
}

#[test]
fn bombs_are_stopped_before_they_unfold() {
    let zeros = vec![b' '; 30_000_000];
    let (texts, refused) = looked_at(&file("bomb.zip", &zip(&[("s1.md", &zeros, 0o644), ("s2.md", b"text", 0o644)])), Limits::default());
    assert_eq!(texts.len(), 1);
    assert!(refused[0].contains("far more than text"), "{refused:?}");
    let path = file("bomb.tar.gz", &gzip(&tar(&[("s1.md", &zeros, b'0')])));
    let few = Limits { ratio: 2, ..Limits::default() };
    assert!(Tree::open(&path, few).expect_err("it unfolds").to_string().contains("far more than text"));
    let (texts, _) = looked_at(&path, Limits { ratio: 100_000, ..Limits::default() });
    assert_eq!(texts[0].1, "! is larger than 10 MB");
}

#[test]
fn limits_on_entries_total_and_depth_hold() {
    let many: Vec<(String, Vec<u8>)> = (0..20).map(|at| (format!("s{at}.md"), b"text".to_vec())).collect();
    let many: Vec<(&str, &[u8], u32)> = many.iter().map(|(name, text)| (name.as_str(), text.as_slice(), 0o644)).collect();
    let path = file("many.zip", &zip(&many));
    for (limits, told) in
        [(Limits { entries: 19, ..Limits::default() }, "more than 19"), (Limits { total: 79, ..Limits::default() }, "unpacks to more")]
    {
        assert!(Tree::open(&path, limits).expect_err("too much").to_string().contains(told));
    }
    let deep = format!("{}answer.md", "d/".repeat(40));
    let (texts, refused) = looked_at(&file("deep.zip", &zip(&[(&deep, b"text", 0o644)])), Limits::default());
    assert!(texts.is_empty() && refused[0].contains("too deep"), "{refused:?}");
}

#[test]
fn a_broken_archive_is_one_trouble_and_a_broken_entry_is_its_own() {
    let whole = zip(&[("s1.md", b"a text that is long enough to be packed packed packed", 0o644), ("s2.md", b"text", 0o644)]);
    for end in [10, whole.len() / 2, whole.len() - 5] {
        assert!(Tree::open(&file("cut.zip", &whole[..end]), Limits::default()).is_err(), "cut at {end}");
    }
    let mut flipped = whole.clone();
    flipped[45] ^= 0x55;
    let (texts, _) = looked_at(&file("flipped.zip", &flipped), Limits::default());
    assert!(texts[0].1.starts_with("! is broken in the archive"), "{texts:?}");
    assert_eq!(texts[1].1, "text");
    let tarred = tar(&[("s1.md", b"text", b'0')]);
    assert!(Tree::open(&file("cut.tar", &tarred[..700]), Limits::default()).is_err());
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_not_followed() {
    let root = file("one", b"").with_file_name("class");
    fs::create_dir_all(root.join("s1")).expect("the folder is writable");
    fs::write(root.join("s1/answer.md"), "text").expect("the folder is writable");
    for (link, to) in [("s2.md", "/etc/passwd"), ("s3", "/etc"), ("s1/loop", "..")] {
        let _ = fs::remove_file(root.join(link));
        std::os::unix::fs::symlink(to, root.join(link)).expect("links can be made");
    }
    let (texts, refused) = looked_at(&root, Limits::default());
    assert_eq!(texts, [("s1/answer.md".to_owned(), "text".to_owned())]);
    assert_eq!(refused.len(), 3, "{refused:?}");
}

/// Whoever can write into the class while it is read does not make us read something else.
#[cfg(unix)]
#[test]
fn what_became_a_link_or_a_pipe_after_the_listing_is_not_read() {
    let root = file("two", b"").with_file_name("changing");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join("s1")).expect("the folder is writable");
    for name in ["s1/answer.md", "s2.md", "s3.md", "s4.md"] {
        fs::write(root.join(name), "text").expect("the folder is writable");
    }
    let outside = root.with_file_name("outside");
    fs::create_dir_all(&outside).expect("the folder is writable");
    fs::write(outside.join("answer.md"), "secret").expect("the folder is writable");
    let tree = Tree::open(&root, Limits::default()).expect("it is a folder");
    fs::remove_dir_all(root.join("s1")).expect("it is ours");
    std::os::unix::fs::symlink(&outside, root.join("s1")).expect("links can be made");
    fs::remove_file(root.join("s2.md")).expect("it is ours");
    std::os::unix::fs::symlink(outside.join("answer.md"), root.join("s2.md")).expect("links can be made");
    fs::remove_file(root.join("s3.md")).expect("it is ours");
    assert!(std::process::Command::new("mkfifo").arg(root.join("s3.md")).status().is_ok_and(|status| status.success()));
    let read: Vec<Result<Vec<u8>, String>> = tree.leaves.iter().map(|leaf| tree.store.read(&leaf.place)).collect();
    assert!(read[..3].iter().all(|read| read.as_ref().is_err_and(|why| why.contains("link"))), "{read:?}");
    assert_eq!(read[3].as_deref(), Ok(b"text".as_slice()));
}

#[test]
fn names_that_look_the_same_are_taken_once() {
    let names = ["Zo\u{eb}.md", "Zoe\u{308}.md", "ZO\u{cb}.md", "zoe.md", "con.md", "s1. ", "a\u{1b}[2J\n.md"];
    let entries: Vec<(&str, &[u8], u32)> = names.iter().map(|name| (*name, b"text".as_slice(), 0o644)).collect();
    let (texts, refused) = looked_at(&file("looks.zip", &zip(&entries)), Limits::default());
    assert_eq!(texts.len(), 5, "{texts:?}");
    assert!(
        refused.iter().any(|line| line.contains("put together")) && refused.iter().any(|line| line.contains("capitals")),
        "{refused:?}"
    );
}

/// What an archive says of its sizes is not believed.
#[test]
fn a_size_that_lies_is_seen_when_it_unfolds() {
    let zeros = vec![b' '; 12_000_000];
    let mut bytes = zip(&[("s1.md", &zeros, 0o644)]);
    // The size in the list of entries, which stands 24 bytes in: a hundred instead of twelve million.
    let at = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").expect("a zip has a list");
    bytes[at + 24..at + 28].copy_from_slice(&100_u32.to_le_bytes());
    let (texts, _) = looked_at(&file("lies.zip", &bytes), Limits::default());
    assert!(texts[0].1.starts_with("! "), "{}", &texts[0].1[..60.min(texts[0].1.len())]);
}

#[test]
fn any_bytes_are_no_panic() {
    let whole = zip(&[("s1.md", b"text", 0o644)]);
    let tarred = tar(&[("s1.md", b"text", b'0')]);
    for (name, bytes) in [("any.zip", whole), ("any.tar", tarred.clone()), ("any.tar.gz", gzip(&tarred))] {
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 200) {
            let mut bytes = bytes.clone();
            bytes[at] = !bytes[at];
            if let Ok(tree) = Tree::open(&file(name, &bytes), Limits::default()) {
                for leaf in &tree.leaves {
                    let _ = tree.store.read(&leaf.place);
                }
            }
        }
    }
}
