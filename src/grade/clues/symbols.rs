//! The symbols of a drill: what may stand left of an equals sign, found in whatever way it is spelled.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// No symbol of a formula is longer.
const LONGEST: usize = 64;

/// Symbols in the form of [`symbol`], and what each of them stands for.
#[derive(Debug)]
pub(super) struct Symbols<T> {
    by_form: FxHashMap<String, T>,
    /// A bit for the small letters of each: hardly anything that is looked up is a symbol, and nearly all of that is told by this.
    sieve: [u64; SIEVE / 64],
}

/// Many times as many bits as a drill has symbols.
const SIEVE: usize = 4096;

impl<T> FromIterator<(String, T)> for Symbols<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(symbols: I) -> Symbols<T> {
        let mut sieve = [0; SIEVE / 64];
        let mut note = |form: &str| {
            let hole = form.chars().fold(0, mixed) % SIEVE;
            sieve[hole / 64] |= 1 << (hole % 64);
        };
        let by_form = symbols.into_iter().inspect(|(form, _)| note(form)).collect();
        Symbols { by_form, sieve }
    }
}

/// A number for small letters, from that of those before the last.
fn mixed(before: usize, c: char) -> usize {
    let mixed = (before ^ c.to_ascii_lowercase() as usize).wrapping_mul(0x9e37_79b9);
    mixed ^ mixed >> 15
}

impl<T> Symbols<T> {
    /// What a spelling stands for.
    pub(super) fn exactly(&self, spelling: &str) -> Option<&T> {
        self.by_form.get(self.form(spelling)?.as_ref())
    }

    /// The same, where a word may begin with a capital letter (a single letter means another thing), and names may stand in
    /// brackets of their own.
    pub(super) fn get(&self, spelling: &str) -> Option<&T> {
        let form = self.form(spelling)?;
        let exact = self.by_form.get(form.as_ref());
        let is_lower = || form.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
        let lower = || if form.is_ascii() { form.to_ascii_lowercase() } else { form.to_lowercase() };
        let word = || (form.len() > 2 && !is_lower()).then(|| self.by_form.get(&lower())).flatten();
        let bare = || {
            let brackets = form.len() <= LONGEST && form.contains('(');
            brackets.then(|| without_idle_brackets(&form)).flatten().and_then(|bare| self.by_form.get(&bare))
        };
        exact.or_else(word).or_else(bare)
    }

    /// The form of a spelling; `None` where it is surely that of no symbol, in capital letters or small ones.
    fn form<'s>(&self, spelling: &'s str) -> Option<Cow<'s, str>> {
        let mut hash = 0;
        for c in spelling.chars().filter_map(in_form) {
            // What has brackets may be another form of something shorter, and a Greek capital has a small letter as well.
            if c == '(' || !c.is_ascii() && c.is_alphabetic() && !c.is_lowercase() {
                return Some(symbol(spelling));
            }
            hash = mixed(hash, c);
        }
        let hole = hash % SIEVE;
        (self.sieve[hole / 64] & 1 << (hole % 64) != 0).then(|| symbol(spelling))
    }
}

/// Without the brackets that hold a single name or call, as fractions are written out in: `(C)/(max(C,T))` is `C/max(C,T)`.
/// `None` where it has none.
fn without_idle_brackets(spelling: &str) -> Option<String> {
    let mut open: SmallVec<[usize; 8]> = SmallVec::new();
    let mut idle: SmallVec<[usize; 16]> = SmallVec::new();
    for (at, c) in spelling.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => {
                let Some(start) = open.pop() else { continue };
                let called = spelling[..start].ends_with(|c: char| c.is_alphanumeric());
                let inside = &spelling[start + 1..at];
                let name = inside.find(|c: char| !c.is_alphanumeric() && c != '\'').unwrap_or(inside.len());
                let call = inside[name..].starts_with('(') && inside.ends_with(')') && inside.matches('(').count() == 1;
                if !called && name > 0 && (name == inside.len() || call) {
                    idle.extend([start, at]);
                }
            }
            _ => {}
        }
    }
    let bare = || spelling.char_indices().filter(|(at, _)| !idle.contains(at)).map(|(_, c)| c).collect();
    (!idle.is_empty()).then(bare)
}

/// A symbol in the form in which spellings are compared: `T_{\mathrm{lat}}`, `T_lat` and `T lat` are one symbol, `t` and
/// `T` are two.
pub(in crate::grade) fn symbol(spelling: &str) -> Cow<'_, str> {
    // Most are spelled so.
    if spelling.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'*' | b'-' | b'/' | b'(' | b')' | b'+')) {
        return Cow::Borrowed(spelling);
    }
    let mut form = String::with_capacity(spelling.len());
    form.extend(spelling.chars().filter_map(in_form));
    Cow::Owned(form)
}

/// A character in the form of a symbol, if it is part of that.
fn in_form(c: char) -> Option<char> {
    match c {
        ' ' | '\t'..='\r' | '_' | '{' | '}' | '\\' | '^' | '`' | '$' | '"' => None,
        // Most that is left is spelled as it is compared.
        c if c.is_ascii() => Some(c),
        '\u{200b}' => None,
        c if c.is_whitespace() => None,
        '⋆' | '∗' | '·' | '×' | '⋅' => Some('*'),
        '−' | '–' => Some('-'),
        '÷' | '∕' | '⁄' => Some('/'),
        'μ' => Some('µ'),
        '′' | '’' => Some('\''),
        c => Some(c),
    }
}
