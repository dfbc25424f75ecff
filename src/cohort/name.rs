//! File names made from the ids of submissions, so that no id names anything outside its folder.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization;

use crate::text;

/// Longer names are cut: most systems take 255 bytes, and an ending has to fit as well.
const LONGEST: usize = 180;

/// The name, without an ending, of the file that belongs to a submission.
///
/// ASCII letters, digits and `.`, `_`, `-` inside stay; every other byte is written as `%` and two digits, so that the
/// name means the same on every system and leads back to the id.
///
/// ```
/// use drillmark::cohort::name;
/// assert_eq!(name::of_file("s017"), "s017");
/// assert_eq!(name::of_file("../Zoë"), "%2E.%2FZo%C3%AB");
/// ```
pub fn of_file(id: &str) -> String {
    let mut name = String::with_capacity(id.len());
    let is_reserved = is_reserved(id);
    for (at, byte) in id.bytes().enumerate() {
        let is_edge = at == 0 || at + 1 == id.len();
        let is_plain = byte.is_ascii_alphanumeric() || byte == b'_' || matches!(byte, b'.' | b'-') && !is_edge;
        if is_plain && !(is_reserved && at == 0) {
            name.push(char::from(byte));
        } else {
            let _ = write!(name, "%{byte:02X}");
        }
    }
    if name.is_empty() {
        name.push('%');
    }
    cut(name, id)
}

/// A name that is not too long; what is cut off is made up for by a digest of the id.
fn cut(mut name: String, id: &str) -> String {
    if name.len() > LONGEST {
        name.truncate(LONGEST);
        name.push('~');
        name.push_str(&text::sha256(id.as_bytes())[..16]);
    }
    name
}

/// The name where another id of the class differs only in capitals: those are written as `%` and two digits as well,
/// since some systems take `A` and `a` for the same name.
pub fn of_file_beside_another(id: &str) -> String {
    let plain = of_file(id);
    let mut name = String::with_capacity(plain.len());
    let mut chars = plain.chars();
    while let Some(c) = chars.next() {
        match c {
            '%' => name.extend(std::iter::once(c).chain(chars.by_ref().take(2))),
            c if c.is_ascii_uppercase() => {
                let _ = write!(name, "%{:02X}", c as u32);
            }
            c => name.push(c),
        }
    }
    cut(name, id)
}

/// The names for all ids of a class, in their order.
pub fn of_files<'a>(ids: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut spellings: BTreeMap<String, usize> = BTreeMap::new();
    for id in ids.clone() {
        *spellings.entry(of_file(id).to_ascii_lowercase()).or_default() += 1;
    }
    let is_alone = |name: &str| spellings.get(&name.to_ascii_lowercase()).is_none_or(|&count| count == 1);
    ids.map(|id| Some(of_file(id)).filter(|name| is_alone(name)).unwrap_or_else(|| of_file_beside_another(id))).collect()
}

/// The form under which names and ids are compared: small letters, and each letter with its accents as one character,
/// since some systems take them apart.
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase().nfc().collect()
}

/// Names that Windows keeps for devices, with any ending.
fn is_reserved(id: &str) -> bool {
    let stem = id.split('.').next().unwrap_or(id).to_ascii_lowercase();
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
        || (stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem.ends_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_id_leaves_its_folder() {
        for (id, name) in [
            ("", "%"),
            (".", "%2E"),
            ("..", "%2E%2E"),
            ("a/../b", "a%2F..%2Fb"),
            (r"C:\x", "C%3A%5Cx"),
            ("-rf", "%2Drf"),
            ("nul.md", "%6Eul.md"),
            ("a;$(rm)\n", "a%3B%24%28rm%29%0A"),
        ] {
            assert_eq!(of_file(id), name, "{id:?}");
        }
        assert_eq!((of_file_beside_another("Alice"), of_file_beside_another("alice")), ("%41lice".to_owned(), "alice".to_owned()));
    }

    proptest! {
        #[test]
        fn names_are_safe_and_apart(one: String, other: String) {
            for name in [of_file(&one), of_file_beside_another(&one)] {
                prop_assert!(name.len() <= 200 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%._-~".contains(&byte)));
                prop_assert!(!name.starts_with(['.', '-']) && !name.is_empty());
            }
            prop_assert_eq!(one == other, of_file(&one) == of_file(&other));
        }
    }
}
