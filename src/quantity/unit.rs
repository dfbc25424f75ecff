use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use super::memo;
use super::spelling;
use super::table::{Entry, GROUPS, PREFIXES, Prefix, Prefixes};
use super::{Base, Dimension, Number};

/// A unit as it was understood: `GB/s`, `ms`, `%`, or one with a noun in it (`tok/s`, `GPU·h`).
///
/// A text holds the same few units over and over; they are shared, so that a quantity is small and its unit costs nothing.
#[derive(Clone)]
pub struct Unit(Arc<Measure>);

/// What a [`Unit`] is.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its usual symbol (`GB/s`, `µs`); nouns as they were written.
    pub symbol: String,
    /// What it measures.
    pub dimension: Dimension,
    /// Its size in SI base units.
    pub factor: Number,
    /// The nearest float to that.
    pub size: f64,
}

impl Unit {
    /// A unit by its symbol, what it measures, and its size in SI base units.
    pub fn new(symbol: impl Into<String>, dimension: Dimension, factor: Number) -> Unit {
        Unit(Arc::new(Measure { symbol: symbol.into(), dimension, factor, size: factor.to_f64() }))
    }

    /// The code of the currency in a unit of money: the `EUR` of `EUR/mo`. Cents are those of any.
    pub fn currency(&self) -> Option<&'static str> {
        if !self.dimension.holds(Base::Money) {
            return None;
        }
        let codes = GROUPS.iter().flat_map(|group| group.entries).filter(|entry| entry.dimension.holds(Base::Money));
        codes.map(|entry| entry.symbol).find(|code| code.starts_with(|c: char| c.is_uppercase()) && self.symbol.contains(code))
    }

    /// Whether amounts in two units can be compared: there is no rate between two currencies.
    pub fn is_comparable(&self, other: &Unit) -> bool {
        self.dimension == other.dimension
            && (!self.dimension.holds(Base::Money) || self.currency().zip(other.currency()).is_none_or(|(one, other)| one == other))
    }

    /// The unit of what has none, with the symbol `1`: what `1/s` divides.
    pub fn one() -> Unit {
        Unit::new("1", Dimension::NONE, Number::ONE)
    }
}

impl Deref for Unit {
    type Target = Measure;

    fn deref(&self) -> &Measure {
        &self.0
    }
}

impl PartialEq for Unit {
    fn eq(&self, other: &Unit) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl fmt::Debug for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.symbol)
    }
}

/// The way in which a spelling was taken for something that it does not strictly say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loose {
    /// Another case: `gb` for `GB`, `Ms` for `ms`.
    Case,
    /// A misspelling or slang: `milisec`, `gigs`.
    Spelling,
    /// A decimal prefix taken as the binary one: `GB` for `GiB`.
    Binary,
    /// A count taken for a rate, or a rate for a count: `FLOPs`, `FLOPS`.
    Rate,
    /// A letter that may be a unit or a scale: `7B`, `16 G`, `70 K`.
    Letter,
    /// A decimal comma where a thousands comma is likelier, or the other way round: `1,234`.
    Comma,
    /// A unit that stands elsewhere: `16 and 32 GB`.
    Shared,
    /// A damaged number: `1.5 x 109` for `1.5 × 10⁹`.
    Damaged,
}

/// One way to understand a unit's spelling.
#[derive(Clone, Debug, PartialEq)]
pub struct Sense {
    /// The unit.
    pub unit: Unit,
    /// How freely the spelling was taken; `None` when it says just this.
    pub loose: Option<Loose>,
}

/// The units that may be written: the table of this crate and those a drill adds.
#[derive(Clone, Debug, Default)]
pub struct Units {
    added: BTreeMap<String, Unit>,
}

impl Units {
    /// The table of this crate alone.
    pub fn standard() -> Units {
        Units::default()
    }

    /// The groups of the table with their sources and the symbols of their units, for people who ask what may be written.
    pub fn table() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static str>)> {
        GROUPS.iter().map(|group| (group.name, group.source, group.entries.iter().map(|entry| entry.symbol).collect()))
    }

    /// Every unit of the table with every prefix that it takes.
    pub fn every() -> impl Iterator<Item = Unit> {
        GROUPS.iter().flat_map(|group| group.entries).flat_map(|entry| {
            let prefixes = PREFIXES.iter().filter(|prefix| entry.prefixes.allow(prefix));
            std::iter::once(&NO_PREFIX).chain(prefixes).map(|prefix| sense(entry, prefix, None).unit)
        })
    }

    /// Adds a unit, or gives a spelling another meaning. It is found under its symbol and that with an `s`.
    pub fn add(&mut self, unit: Unit) {
        self.added.insert(unit.symbol.clone(), unit);
    }

    /// Every unit that a whole spelling (`GB/s`, `bytes per second`) may mean, likeliest first; empty when it is no unit.
    pub fn read(&self, spelling: &str) -> Vec<Unit> {
        self.senses(spelling).into_iter().map(|sense| sense.unit).collect()
    }

    /// [`Units::read`], with how freely the spelling was taken.
    pub fn senses(&self, spelling: &str) -> Vec<Sense> {
        let spelling = spelling.trim();
        if let Some(unit) = self.added.get(spelling) {
            return vec![Sense { unit: unit.clone(), loose: None }];
        }
        // `1/s`
        if let Some(rest) = spelling.strip_prefix('1').filter(|rest| rest.starts_with('/')) {
            let found = self.go_on(Sense { unit: Unit::one(), loose: None }, rest);
            return if found.len == rest.len() { found.senses.to_vec() } else { Vec::new() };
        }
        match self.scan(spelling) {
            Some(found) if found.len == spelling.len() => found.senses.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The unit at the start of a text, as far as it goes.
    pub fn scan(&self, text: &str) -> Option<Spelled> {
        spelling::scan(self, text)
    }

    /// What follows a unit that stands before its number: `/h` in `$2.50/h`.
    pub fn go_on(&self, first: Sense, text: &str) -> Spelled {
        spelling::go_on(self, Rc::new([first]), text)
    }

    /// Every fair reading of one word or symbol, likeliest first.
    pub(super) fn word(&self, word: &str) -> Senses {
        if !self.added.is_empty() {
            let added = self.added.get(word).or_else(|| {
                // A plural of an added unit gives way to a unit of the table: `us` is no two `u`.
                word.strip_suffix('s').and_then(|singular| self.added.get(singular)).filter(|_| !may_know(word) || exact(word).is_empty())
            });
            if let Some(unit) = added {
                return Rc::new([Sense { unit: unit.clone(), loose: None }]);
            }
        }
        memo::word(word, of_table)
    }
}

/// The readings of a unit's spelling, likeliest first.
pub(super) type Senses = Rc<[Sense]>;

/// Whether a word may be a spelling of the table. `false` is certain.
fn may_know(word: &str) -> bool {
    // Names of several words are looked up joined, and so are not all among the known.
    INDEX.may_know(word) || word.contains([' ', '-', '.'])
}

/// Every fair reading that the table of this crate has for a word.
fn of_table(word: &str) -> Vec<Sense> {
    let known = may_know(word);
    let mut senses = if known { exact(word) } else { Vec::new() };
    let Some(lower) = Lower::of(word).filter(|_| senses.is_empty()) else { return senses };
    if known {
        senses = named(word, lower.text());
    }
    if known && senses.is_empty() {
        senses = in_any_case(word, lower.text());
    }
    if senses.is_empty() {
        senses = misspelt(lower.text());
    }
    senses
}

/// A unit found at the start of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Spelled {
    /// The bytes it takes.
    pub len: usize,
    /// Every fair reading, likeliest first; never empty.
    pub senses: Rc<[Sense]>,
}

/// The table by spelling.
struct Index {
    symbols: FxHashMap<&'static str, &'static Entry>,
    names: FxHashMap<&'static str, &'static Entry>,
    /// Symbols without a prefix, in lower case, with their places in the table.
    lower: FxHashMap<String, Vec<(usize, &'static Entry)>>,
    /// A bit for each spelling, by its hash: most words are told to be no unit without a further look.
    known: Vec<u64>,
}

/// Bits of [`Index::known`]; a fortieth of them is set.
const KNOWN_BITS: u64 = 1 << 19;

/// A hash of spellings in lower case (FNV-1a), from where another left off.
fn hashed(start: u64, spelling: &str) -> u64 {
    spelling.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3))
}

const HASH: u64 = 0xcbf2_9ce4_8422_2325;

impl Index {
    fn learn(&mut self, hash: u64) {
        let bit = (hash ^ (hash >> 32)) % KNOWN_BITS;
        self.known[(bit / 64) as usize] |= 1 << (bit % 64);
    }

    /// Whether a word may be a spelling of a unit, singular or plural. `false` is certain.
    fn may_know(&self, word: &str) -> bool {
        let knows = |hash: u64| {
            let bit = (hash ^ (hash >> 32)) % KNOWN_BITS;
            self.known[(bit / 64) as usize] & (1 << (bit % 64)) != 0
        };
        let singular = word.strip_suffix(['s', 'S']).map(|singular| hashed(HASH, singular));
        knows(hashed(HASH, word)) || singular.is_some_and(knows)
    }
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let known = vec![0; (KNOWN_BITS / 64) as usize];
    let mut index = Index { symbols: FxHashMap::default(), names: FxHashMap::default(), lower: FxHashMap::default(), known };
    let mut place = 0;
    for entry in GROUPS.iter().flat_map(|group| group.entries) {
        for symbol in std::iter::once(&entry.symbol).chain(entry.also) {
            index.symbols.entry(symbol).or_insert(entry);
            index.lower.entry(symbol.to_ascii_lowercase()).or_default().push((place, entry));
            place += 1;
        }
        for name in entry.names {
            index.names.entry(name).or_insert(entry);
        }
        for prefix in std::iter::once(&NO_PREFIX).chain(PREFIXES.iter().filter(|prefix| entry.prefixes.allow(prefix))) {
            let prefix_spellings = [&prefix.symbol, &prefix.name].into_iter().chain(prefix.also).chain(prefix.misspelt);
            for start in prefix_spellings.map(|spelling| hashed(HASH, spelling)) {
                for spelling in std::iter::once(&entry.symbol).chain(entry.also).chain(entry.names) {
                    index.learn(hashed(start, spelling));
                }
            }
        }
    }
    for slang in ["milli", "micro", "nano", "gig", "meg", "GF", "TF", "PF", "EF"] {
        index.learn(hashed(HASH, slang));
    }
    index
});

static NO_PREFIX: Prefix = Prefix { symbol: "", also: &[], name: "", misspelt: &[], base: 10, power: 0 };

fn sense(entry: &Entry, prefix: &Prefix, loose: Option<Loose>) -> Sense {
    let mut symbol = String::with_capacity(prefix.symbol.len() + entry.symbol.len());
    symbol.push_str(prefix.symbol);
    symbol.push_str(entry.symbol);
    let size = Number::exact(num_rational::Ratio::new_raw(entry.factor.0, entry.factor.1));
    let factor = if prefix.power == 0 { size } else { size * prefix.size() };
    Sense { unit: Unit::new(symbol, entry.dimension, factor), loose }
}

/// The readings of a spelling that a person who knows the entry would give: strictly, then by habit.
fn senses(entry: &Entry, prefix: &Prefix, loose: Option<Loose>) -> Vec<Sense> {
    let mut senses = vec![sense(entry, prefix, loose)];
    if entry.prefixes == Prefixes::Data && prefix.base == 10 && prefix.power >= 3 && entry.dimension == Dimension::DATA {
        let twin =
            PREFIXES.iter().find(|twin| twin.base == 1024 && twin.power * 3 == prefix.power).expect("each large prefix has its twin");
        senses.push(sense(entry, twin, Some(Loose::Binary)));
    }
    let other = match entry.symbol {
        "FLOP" => Some("FLOP/s"),
        "FLOP/s" => Some("FLOP"),
        _ => None,
    };
    if let Some(other) = other {
        senses.push(sense(INDEX.symbols[other], prefix, Some(Loose::Rate)));
    }
    senses
}

/// Bytes of the longest spelling that is looked up.
const LONGEST: usize = 40;

/// A word in lower case, without a detour over the heap: most words that are looked up are no units. Letters beyond ASCII
/// stay as they are.
struct Lower {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Lower {
    fn of(word: &str) -> Option<Lower> {
        let mut bytes = [0; LONGEST];
        let len = word.len();
        bytes.get_mut(..len)?.copy_from_slice(word.as_bytes());
        bytes[..len].make_ascii_lowercase();
        Some(Lower { bytes, len })
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("lowering ASCII letters keeps UTF-8 whole")
    }
}

/// The prefixes that a word may begin with.
fn prefixes_of(word: &str) -> impl Iterator<Item = &'static Prefix> {
    let first = word.bytes().next().unwrap_or(0);
    PREFIXES.iter().filter(move |prefix| {
        let starts = |spelling: &str| spelling.as_bytes()[0].eq_ignore_ascii_case(&first);
        starts(prefix.symbol) || starts(prefix.name) || prefix.also.iter().any(|spelling| starts(spelling))
    })
}

/// By symbol, with or without a prefix, every letter in its case.
fn exact(word: &str) -> Vec<Sense> {
    // `312 TF`, as machines are sold.
    if let "GF" | "TF" | "PF" | "EF" = word
        && let Some(prefix) = PREFIXES.iter().find(|prefix| prefix.symbol == &word[..1])
    {
        return senses(INDEX.symbols["FLOP"], prefix, Some(Loose::Spelling));
    }
    if let Some(entry) = INDEX.symbols.get(word) {
        return match word {
            // A lone `m` is a meter; `5m` of a duration is meant now and then.
            "m" => vec![sense(entry, &NO_PREFIX, None), sense(INDEX.symbols["min"], &NO_PREFIX, Some(Loose::Spelling))],
            _ => senses(entry, &NO_PREFIX, None),
        };
    }
    for prefix in prefixes_of(word) {
        for spelling in std::iter::once(&prefix.symbol).chain(prefix.also) {
            let Some(entry) = word.strip_prefix(spelling).and_then(|rest| INDEX.symbols.get(rest)) else { continue };
            if !entry.prefixes.allow(prefix) || (*spelling == "K" && entry.prefixes == Prefixes::Si) {
                continue;
            }
            // All in lower case, bytes are meant as often as bits.
            if matches!(word, "kb" | "kib") {
                return vec![sense(INDEX.symbols["B"], prefix, Some(Loose::Case)), sense(entry, prefix, None)];
            }
            return senses(entry, prefix, None);
        }
    }
    Vec::new()
}

/// The unit of a name in lower case, singular or plural.
fn name(lower: &str) -> Option<&'static Entry> {
    let names = &INDEX.names;
    names.get(lower).or_else(|| names.get(lower.strip_suffix('s').or_else(|| lower.strip_suffix("s."))?)).copied()
}

/// By name in any case, with or without a prefix and a plural s.
fn named(word: &str, lower: &str) -> Vec<Sense> {
    if let Some(entry) = name(lower) {
        return senses(entry, &NO_PREFIX, None);
    }
    // Slang: a prefix that stands for its unit.
    let slang = match lower {
        "millis" | "micros" | "nanos" => Some("s"),
        "gig" | "gigs" | "meg" | "megs" => Some("B"),
        _ => None,
    };
    if let Some(unit) = slang {
        let prefix = PREFIXES.iter().find(|prefix| lower.starts_with(&prefix.name[..3])).expect("all are in the table");
        return senses(INDEX.symbols[unit], prefix, Some(Loose::Spelling));
    }
    for prefix in prefixes_of(word) {
        let names = std::iter::once((&prefix.name, None)).chain(prefix.misspelt.iter().map(|name| (name, Some(Loose::Spelling))));
        for (prefix_name, loose) in names {
            let Some(rest) = lower.strip_prefix(prefix_name) else { continue };
            // `megabyte`, `microA`: a prefix's name before a name, or before a symbol in its case.
            let symbol = || word.get(prefix_name.len()..).and_then(|rest| INDEX.symbols.get(rest)).copied();
            let entry = name(rest.trim_start_matches([' ', '-'])).or_else(symbol);
            if let Some(entry) = entry.filter(|entry| entry.prefixes.allow(prefix)) {
                return senses(entry, prefix, loose);
            }
        }
        // `Gbyte`, `msec`, `Mbits`: a symbol before a name.
        for symbol in std::iter::once(&prefix.symbol).chain(prefix.also) {
            if !word.starts_with(symbol) {
                continue;
            }
            let rest = &lower[symbol.len()..];
            if let Some(entry) = name(rest).filter(|entry| rest.len() > 2 && entry.prefixes.allow(prefix)) {
                return senses(entry, prefix, None);
            }
        }
    }
    Vec::new()
}

/// By symbol, whatever its case; bytes before bits, and bits before bytes in rates, as people mean them.
fn in_any_case(word: &str, lower: &str) -> Vec<Sense> {
    // A lone letter has too many meanings to be folded, but for watts.
    if word.chars().count() == 1 && word != "w" {
        return Vec::new();
    }
    // In the order of the table: by symbol, then by prefix.
    let mut found: Vec<(usize, usize, &Entry, &Prefix)> = Vec::new();
    for (at, prefix) in std::iter::once(&NO_PREFIX).chain(PREFIXES).enumerate() {
        for spelling in std::iter::once(&prefix.symbol).chain(prefix.also) {
            let starts = lower.get(..spelling.len()).is_some_and(|start| start.eq_ignore_ascii_case(spelling));
            let Some(known) = starts.then(|| INDEX.lower.get(&lower[spelling.len()..])).flatten() else { continue };
            let fitting = known.iter().filter(|(_, entry)| at == 0 || entry.prefixes.allow(prefix));
            found.extend(fitting.map(|&(place, entry)| (place, at, entry, prefix)));
        }
    }
    found.sort_by_key(|&(place, prefix, ..)| (place, prefix));
    let mut senses: Vec<Sense> = Vec::with_capacity(found.len());
    for (at, &(_, _, entry, prefix)) in found.iter().enumerate() {
        let again = found[..at].iter().any(|&(_, _, known, with)| std::ptr::eq(known, entry) && std::ptr::eq(with, prefix));
        if !again {
            senses.push(sense(entry, prefix, Some(Loose::Case)));
        }
    }
    senses.sort_by_key(|sense| match sense.unit.symbol.as_str() {
        symbol if symbol.ends_with("bit/s") => 0,
        symbol if symbol.starts_with('m') || symbol.starts_with('µ') => 0,
        _ => 1,
    });
    senses
}

/// A name that may be misspelt: the whole of it, its unit and its prefix.
struct Long {
    name: String,
    entry: &'static Entry,
    prefix: &'static Prefix,
}

/// The names that are too long to become another word by a slip, by their first letter, which people get right.
static LONG_NAMES: LazyLock<BTreeMap<u8, Vec<Long>>> = LazyLock::new(|| {
    let mut names: BTreeMap<u8, Vec<Long>> = BTreeMap::new();
    for unit in ["second", "byte", "bit", "hertz", "minute", "watt", "flop"] {
        let entry = INDEX.names[unit];
        for prefix in std::iter::once(&NO_PREFIX).chain(PREFIXES.iter().filter(|prefix| entry.prefixes.allow(prefix))) {
            let name = format!("{}{unit}", prefix.name);
            if name.len() >= 7 {
                names.entry(name.as_bytes()[0]).or_default().push(Long { name, entry, prefix });
            }
        }
    }
    names
});

/// By name with one letter wrong, missing, doubled or swapped.
fn misspelt(lower: &str) -> Vec<Sense> {
    if !(7..=16).contains(&lower.len()) || !lower.is_ascii() {
        return Vec::new();
    }
    let singular = lower.strip_suffix('s').unwrap_or(lower).as_bytes();
    let mut names = LONG_NAMES.get(&singular[0]).into_iter().flatten();
    let close = |long: &&Long| long.name.len().abs_diff(singular.len()) <= 1 && one_slip(singular, long.name.as_bytes());
    names.find(close).map_or(Vec::new(), |long| senses(long.entry, long.prefix, Some(Loose::Spelling)))
}

/// Whether two words differ by one letter changed, left out, added, or swapped with its neighbour.
fn one_slip(word: &[u8], name: &[u8]) -> bool {
    let same = word.iter().zip(name).take_while(|(a, b)| a == b).count();
    let (word, name) = (&word[same..], &name[same..]);
    let tail = |word: &[u8], name: &[u8]| word == name;
    match (word, name) {
        ([a, b, rest @ ..], [c, d, end @ ..]) if a == d && b == c && tail(rest, end) => true,
        ([_, rest @ ..], [_, end @ ..]) if tail(rest, end) => true,
        ([_, rest @ ..], end) if tail(rest, end) => true,
        (rest, [_, end @ ..]) => tail(rest, end),
        _ => false,
    }
}
