//! The grammar of a written unit: `GB/s`, `TB s⁻¹`, `bytes per parameter`, `kW·h`, `GPU-hours`, `(GB/s)`.
//!
//! A unit is read from left to right and never further back, so that the time is linear in its length; and it is short, so
//! that a hostile text cannot make it long.

use std::rc::Rc;

use super::memo;
use super::unit::{Sense, Senses, Spelled, Unit, Units};
use super::{Base, Dimension, Number};

/// Factors of one unit; what comes after is not part of it.
const MOST_FACTORS: usize = 6;
/// Bytes of one word.
const LONGEST_WORD: usize = 40;

/// A factor of a unit.
struct Factor {
    len: usize,
    /// Its readings; none of a noun, a word outside of the table that stands for a count.
    senses: Senses,
}

impl Factor {
    fn is_noun(&self) -> bool {
        self.senses.is_empty()
    }

    /// The readings of a factor, of which `text` is the spelling where it is a noun.
    fn senses(self, text: &str) -> Senses {
        if !self.is_noun() {
            return self.senses;
        }
        Rc::new([Sense { unit: Unit::new(&text[..self.len], Dimension::NONE, Number::ONE), loose: None }])
    }
}

pub(super) fn scan(units: &Units, text: &str) -> Option<Spelled> {
    if text.starts_with('(') {
        return None;
    }
    // Most units are one word of letters, with nothing behind that could go on.
    let bytes = text.as_bytes();
    let letters = bytes.iter().take(LONGEST_WORD + 1).take_while(|byte| byte.is_ascii_alphabetic()).count();
    if (1..=LONGEST_WORD).contains(&letters) && nothing_joins(&bytes[letters..]) {
        let senses = units.word(&text[..letters]);
        return (!senses.is_empty()).then_some(Spelled { len: letters, senses });
    }
    let first = factor(units, text)?;
    let len = first.len;
    if first.is_noun() && !carries_a_noun(units, &text[len..]) {
        return None;
    }
    let mut found = go_on(units, first.senses(text), &text[len..]);
    found.len += len;
    Some(found)
}

/// Whether what stands behind a word shows at once that it has no power and that no further factor follows.
fn nothing_joins(rest: &[u8]) -> bool {
    match rest {
        [] => true,
        [b',' | b';' | b':' | b')' | b']' | b'}' | b'\n' | b'=' | b'|' | b'"' | b'\'' | b'`' | b'!' | b'?' | b'<' | b'>', ..] => true,
        [b'.', next, ..] => !next.is_ascii_lowercase(),
        [b'.'] => true,
        [b' ', next, ..] => matches!(next, b'(' | b'=' | b'+' | b'<' | b'>' | b'|' | b'0'..=b'9'),
        _ => false,
    }
}

/// The rest of a unit whose first factor is known: `/h` behind the dollars of `$2.50/h`.
pub(super) fn go_on(units: &Units, mut senses: Senses, text: &str) -> Spelled {
    let mut at = 0;
    let mut dividing = false;
    for _ in 1..MOST_FACTORS {
        let Some((gap, divides)) = operator(units, &text[at..]) else { break };
        let from = at + gap;
        let Some(next) = factor(units, &text[from..]) else { break };
        // After the first `/` every further factor divides: people write J/(kg K) as J/kg K.
        dividing |= divides;
        if next.is_noun() && (!dividing || next.len < 2) {
            break;
        }
        let len = next.len;
        let next = next.senses(&text[from..]);
        let how = memo::Joint { dividing, slashed: matches!(text[at..from].trim(), "/" | "per" | "pro" | "je") };
        let Some(more) = memo::joined(&senses, &next, how, joined) else { break };
        senses = more;
        at = from + len;
    }
    Spelled { len: at, senses }
}

/// Whether a count's noun is part of a unit here: `tok/s`, `GPU-hours`, `requests per second`.
fn carries_a_noun(units: &Units, rest: &str) -> bool {
    let Some((gap, divides)) = operator(units, rest) else { return false };
    let Some(next) = factor(units, &rest[gap..]).filter(|next| !next.is_noun()) else { return false };
    if divides {
        return is_time_or_data(&next);
    }
    next.senses[0].unit.dimension == Dimension::TIME && next.senses[0].unit.factor.to_f64() >= 60.0
}

fn is_time_or_data(factor: &Factor) -> bool {
    let dimension = factor.senses[0].unit.dimension;
    dimension == Dimension::TIME || dimension == Dimension::DATA || dimension == Dimension::of(&[(Base::Money, 1)])
}

/// The product of a unit and a further factor, or their quotient.
fn joined(numerators: &[Sense], next: &[Sense], how: memo::Joint) -> Option<Vec<Sense>> {
    let by = &next[0];
    let mut senses = Vec::with_capacity(numerators.len());
    for sense in numerators {
        let (symbol, dimension, factor) = (&sense.unit.symbol, sense.unit.dimension, sense.unit.factor);
        let unit = if how.dividing {
            let symbol = match symbol.split_once('/') {
                Some(_) if !how.slashed => format!("{symbol}·{}", by.unit.symbol),
                _ => format!("{symbol}/{}", by.unit.symbol),
            };
            Unit::new(symbol, dimension.over(by.unit.dimension)?, factor / by.unit.factor)
        } else if let Some(inverse) = by.unit.symbol.strip_suffix("^-1").filter(|_| !symbol.contains('/')) {
            Unit::new(format!("{symbol}/{inverse}"), dimension.times(by.unit.dimension)?, factor * by.unit.factor)
        } else {
            let joint = if symbol == "W" || symbol.ends_with('W') && by.unit.symbol == "h" { "" } else { "·" };
            Unit::new(format!("{symbol}{joint}{}", by.unit.symbol), dimension.times(by.unit.dimension)?, factor * by.unit.factor)
        };
        // `FLOPS/s` is a count a second; the binary reading of a rate helps nobody.
        senses.push(Sense { unit, loose: sense.loose.or(by.loose) });
    }
    if how.dividing && senses.len() > 1 {
        let flop = senses.iter().position(|sense| sense.unit.dimension == Dimension::of(&[(Base::Flop, 1), (Base::Time, -1)]));
        let keep = flop.unwrap_or(0);
        senses = vec![senses.swap_remove(keep)];
        if flop.is_some() {
            senses[0].loose = None;
        }
    }
    Some(senses)
}

/// What joins two factors, its length, and whether it divides. A space joins only what nothing else could be.
fn operator(units: &Units, rest: &str) -> Option<(usize, bool)> {
    let trimmed = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}', '\u{2009}']);
    let space = rest.len() - trimmed.len();
    if space > 3 {
        return None;
    }
    let more = |text: &str, taken: usize| {
        let after = &text[taken..];
        space + taken + (after.len() - after.trim_start_matches(' ').len()).min(2)
    };
    // Most often none of these comes next, which a letter tells.
    let may_divide = matches!(trimmed.as_bytes(), [b'p' | b'a' | b'j' | b'i', b'e' | b' ' | b'n' | b'r' | b'm', ..]);
    let words = ["per ", "a ", "an ", "pro ", "je ", "im ", "am "];
    if let Some(word) = words.into_iter().filter(|_| may_divide).find(|word| trimmed.starts_with(word)) {
        if space == 0 {
            return None;
        }
        let after = space + word.len();
        // `5 GB a second` divides; `5 GB a day later` does not matter, but `5 GB a GPU` would.
        let divides = word == "per "
            || factor(units, &rest[after..]).is_some_and(|next| !next.is_noun() && next.senses[0].unit.dimension == Dimension::TIME);
        return divides.then_some((after, true));
    }
    let mut chars = trimmed.chars();
    match chars.next()? {
        '/' if !chars.as_str().starts_with('/') => Some((more(trimmed, 1), true)),
        '∕' | '⁄' => Some((more(trimmed, 3), true)),
        '·' => Some((more(trimmed, 2), false)),
        '⋅' | '∙' => Some((more(trimmed, 3), false)),
        '*' if !chars.as_str().starts_with('*') => Some((more(trimmed, 1), false)),
        '.' if space == 0 && chars.next().is_some_and(|next| next.is_ascii_lowercase()) => {
            let next = factor(units, &trimmed[1..])?;
            (!next.is_noun() && next.senses[0].unit.symbol.contains('^')).then_some((1, false))
        }
        '-' if space == 0 => {
            let next = factor(units, &trimmed[1..])?;
            (!next.is_noun() && next.senses[0].unit.dimension == Dimension::TIME).then_some((1, false))
        }
        first if space > 0 && first.is_alphabetic() => {
            // Most often that is the next word of a sentence, and no unit.
            let letters = trimmed.bytes().take(LONGEST_WORD + 1).take_while(u8::is_ascii_alphabetic).count();
            let alone = matches!(trimmed.as_bytes().get(letters), None | Some(b' ' | b',' | b'.' | b';' | b'\n' | b')'));
            let joined = letters.checked_sub(1).is_some_and(|_| starts_name_in_any_case(&trimmed.as_bytes()[..letters]));
            if (2..=LONGEST_WORD).contains(&letters) && alone && !joined && units.word(&trimmed[..letters]).is_empty() {
                return None;
            }
            let next = factor(units, trimmed).filter(|next| !next.is_noun())?;
            let unit = &next.senses[0].unit;
            let named = next.len > 3;
            let joins = unit.symbol.contains('^') || unit.symbol == "h" || named && unit.dimension == Dimension::TIME;
            joins.then_some((space, false))
        }
        _ => None,
    }
}

/// One unit with its power, or a noun.
fn factor(units: &Units, text: &str) -> Option<Factor> {
    let mut found = base(units, text)?;
    if let Some(sense) = found.senses.first()
        && let Some((extra, exponent)) = power(&text[found.len..], &sense.unit)
    {
        let unit = &sense.unit;
        let symbol = match exponent {
            2 => format!("{}²", unit.symbol),
            3 => format!("{}³", unit.symbol),
            _ => format!("{}^{exponent}", unit.symbol),
        };
        let raised = Unit::new(symbol, unit.dimension.power(exponent, 1)?, unit.factor.powi(exponent));
        found = Factor { len: found.len + extra, senses: Rc::new([Sense { unit: raised, loose: sense.loose }]) };
    }
    Some(found)
}

/// The bytes of a word of letters, or of one sign such as `%`.
fn word_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let letters = bytes.iter().take(LONGEST_WORD + 1).take_while(|byte| byte.is_ascii_alphabetic()).count();
    // Most words are over where their letters of ASCII are.
    if letters > 0 && bytes.get(letters).is_none_or(|byte| byte.is_ascii() && *byte != b'$') {
        return letters;
    }
    let mut len = 0;
    for c in text.chars() {
        let sign = matches!(c, '%' | '‰' | '‱' | '°' | 'º' | '$' | '€' | '£' | '¥' | '¢' | '₹' | '×');
        if sign && len == 0 {
            len = c.len_utf8();
            if matches!(c, '°' | 'º') && text[len..].starts_with(['C', 'F']) {
                len += 1;
            }
            return len;
        }
        if !c.is_alphabetic() || is_super(c) || len > LONGEST_WORD {
            break;
        }
        len += c.len_utf8();
    }
    // `US$`, `k€`
    let sign = text[len..].chars().next().filter(|c| matches!(c, '$' | '€' | '£' | '¥' | '₹'));
    let joined = sign.filter(|sign| matches!(&text[..len], "k" | "M") || *sign == '$' && &text[..len] == "US");
    len + joined.map_or(0, char::len_utf8)
}

fn is_super(c: char) -> bool {
    matches!(c, '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' | 'ª' | 'ⁿ')
}

fn base(units: &Units, text: &str) -> Option<Factor> {
    if let Some(inner) = text.strip_prefix('(') {
        return in_brackets(units, inner);
    }
    let mut len = word_length(text);
    if len == 0 || len > LONGEST_WORD {
        return None;
    }
    // Names of several words: the longest that is in the table.
    if let Some(found) = several_words(units, text, len) {
        return Some(found);
    }
    let word = &text[..len];
    let next = text.as_bytes().get(len);
    if next == Some(&b'_') && word.chars().all(char::is_alphanumeric) {
        return None;
    }
    // A noun may end in digits (`A100`); a unit may only where they are its power (`m2`).
    let digits = text[len..].bytes().take_while(u8::is_ascii_digit).count();
    let senses = units.word(word);
    if let Some(sense) = senses.first()
        && (digits == 0 || power(&text[len..], &sense.unit).is_some() || sense.unit.dimension == Dimension::TIME)
    {
        return Some(Factor { len, senses });
    }
    len += digits;
    if !word.starts_with(char::is_alphabetic) || !is_noun(&text[..len]) {
        return None;
    }
    Some(Factor { len, senses: if senses.is_empty() { senses } else { Rc::new([]) } })
}

/// `(kg K)` below a fraction's stroke.
fn in_brackets(units: &Units, inner: &str) -> Option<Factor> {
    let first = factor(units, inner).filter(|first| !first.is_noun() && !inner.starts_with('('))?;
    let len = first.len;
    let mut found = go_on(units, first.senses, &inner[len..]);
    found.len += len;
    if !inner[found.len..].starts_with(')') {
        return None;
    }
    let Sense { unit, loose } = found.senses[0].clone();
    let unit = if found.len > len { Unit::new(format!("({})", unit.symbol), unit.dimension, unit.factor) } else { unit };
    Some(Factor { len: found.len + 2, senses: Rc::new([Sense { unit, loose }]) })
}

/// Whether names of several words begin with this one, in lower case.
fn starts_name(lower: &[u8]) -> bool {
    matches!(
        lower,
        b"degree"
            | b"percent"
            | b"percentage"
            | b"per"
            | b"float"
            | b"floating"
            | b"part"
            | b"basis"
            | b"us"
            | b"watt"
            | b"electron"
            | b"metric"
            | b"pound"
            | b"british"
            | b"deg"
            | [0xc2, 0xb0]
            | b"kilo"
            | b"mega"
            | b"giga"
            | b"tera"
            | b"peta"
            | b"exa"
            | b"milli"
            | b"micro"
            | b"mu"
            | b"nano"
            | b"g"
            | b"t"
            | b"m"
            | b"square"
            | b"cubic"
            | b"%"
    )
}

/// The same for a word in any case, singular or plural.
fn starts_name_in_any_case(word: &[u8]) -> bool {
    let mut lower = [0; 10];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    starts_name(lower) || lower.strip_suffix(b"s").is_some_and(|head| head.len() > 1 && starts_name(head))
}

fn several_words(units: &Units, text: &str, first: usize) -> Option<Factor> {
    // Most words start no such name, or nothing follows; that is told without looking further.
    if !matches!(text.as_bytes().get(first), Some(b' ' | b'-')) {
        return None;
    }
    let word = &text[..first];
    if !starts_name_in_any_case(word.as_bytes()) {
        return None;
    }
    let lower = word.to_lowercase();
    let head = lower.strip_suffix('s').filter(|head| head.len() > 1 && *head != "u").unwrap_or(&lower);
    let mut end = first;
    let mut words = vec![first];
    for _ in 0..2 {
        let rest = &text[end..];
        let gap = usize::from(rest.starts_with([' ', '-']));
        let next = word_length(&rest[gap..]);
        if gap == 0 || next == 0 {
            break;
        }
        end += gap + next;
        words.push(end);
    }
    for &end in words[1..].iter().rev() {
        let name = text[..end].to_lowercase();
        if let Some(rest) = name.strip_prefix("square ").or_else(|| name.strip_prefix("cubic ")) {
            let exponent = if name.starts_with('s') { 2 } else { 3 };
            let senses = units.word(rest);
            let Some(Sense { unit, loose }) = senses.first() else { continue };
            let mark = if exponent == 2 { '²' } else { '³' };
            let symbol = format!("{}{mark}", unit.symbol);
            let unit = Unit::new(symbol, unit.dimension.power(exponent, 1)?, unit.factor.powi(exponent));
            return Some(Factor { len: end, senses: Rc::new([Sense { unit, loose: *loose }]) });
        }
        // A prefix apart from its unit: `Tera FLOPs`, `G float operations`.
        let apart = match head {
            "g" | "t" | "m" if first == 1 => {
                let rest = units.word(&text[first + 1..end]);
                let ok = rest.first().is_some_and(|sense| sense.unit.symbol == "FLOP");
                if ok { units.word(&format!("{}FLOPs", &text[..1].to_uppercase())) } else { Rc::new([]) }
            }
            "kilo" | "mega" | "giga" | "tera" | "peta" | "exa" | "milli" | "micro" | "mu" | "nano" => {
                units.word(&format!("{head}{}", &text[first + 1..end]))
            }
            "per" | "part" | "us" if text[first..].starts_with('-') => Rc::new([]),
            _ => {
                let singular = singulars(&name);
                units.word(&singular)
            }
        };
        if !apart.is_empty() {
            return Some(Factor { len: end, senses: apart });
        }
    }
    None
}

/// `percentage points` and `parts per million` as the table has them.
fn singulars(name: &str) -> String {
    name.strip_prefix("parts ").map_or_else(|| name.to_owned(), |rest| format!("part {rest}"))
}

/// A power directly behind a unit: `^-1`, `**2`, `⁻¹`, `²`, `s-1`, `m2`.
fn power(rest: &str, unit: &Unit) -> Option<(usize, i32)> {
    // Most units have none.
    if !matches!(rest.as_bytes(), [b'^' | b'*' | b'-' | b'1'..=b'9' | 0x80.., ..]) {
        return None;
    }
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i32::from(byte - b'0'));
    if let Some(marked) = rest.strip_prefix('^').or_else(|| rest.strip_prefix("**")) {
        let mut body = marked.strip_prefix(['{', '(']).unwrap_or(marked);
        let open = body.len() < marked.len();
        let mut sign = 1;
        if let Some(negative) = body.strip_prefix(['-', '−', '–', '⁻']) {
            (body, sign) = (negative, -1);
        }
        let value = digit(*body.as_bytes().first()?)?;
        body = &body[1..];
        if open {
            body = body.strip_prefix(['}', ')'])?;
        }
        return (value > 0 && !body.starts_with(|c: char| c.is_ascii_digit())).then_some((rest.len() - body.len(), sign * value));
    }
    let supers = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|known| known == c).and_then(|at| i32::try_from(at).ok());
    let (body, sign) = rest.strip_prefix('⁻').map_or((rest, 1), |body| (body, -1));
    if let Some(value) = body.chars().next().and_then(supers).filter(|&value| value > 0) {
        let body = &body[body.chars().next()?.len_utf8()..];
        // A lone raised 1 is a footnote's.
        let footnote = sign == 1 && value == 1;
        return (!footnote && !body.starts_with(|c| supers(c).is_some())).then_some((rest.len() - body.len(), sign * value));
    }
    let bytes = rest.as_bytes();
    let ends = |at: usize| !bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.');
    match bytes {
        [b'-', value @ b'1'..=b'3', ..] if ends(2) => Some((2, -i32::from(value - b'0'))),
        [value @ b'2'..=b'3', ..] if ends(1) && unit.dimension == Dimension::of(&[(Base::Length, 1)]) => Some((1, i32::from(value - b'0'))),
        _ => None,
    }
}

/// Whether a word behind a number can be the noun of a count, and not a word of the sentence around.
pub fn is_noun(word: &str) -> bool {
    let mut lower = [0; 9];
    // The longest word of a sentence that is asked for here has nine letters.
    let Some(lower) = lower.get_mut(..word.len()) else { return true };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    let of_a_sentence = matches!(
        &*lower,
        b"about"
            | b"above"
            | b"after"
            | b"again"
            | b"all"
            | b"along"
            | b"already"
            | b"also"
            | b"although"
            | b"am"
            | b"an"
            | b"and"
            | b"are"
            | b"around"
            | b"as"
            | b"at"
            | b"away"
            | b"back"
            | b"be"
            | b"because"
            | b"been"
            | b"before"
            | b"below"
            | b"better"
            | b"between"
            | b"but"
            | b"by"
            | b"can"
            | b"come"
            | b"comes"
            | b"could"
            | b"did"
            | b"do"
            | b"does"
            | b"down"
            | b"due"
            | b"each"
            | b"either"
            | b"else"
            | b"et"
            | b"even"
            | b"every"
            | b"exactly"
            | b"faster"
            | b"fewer"
            | b"for"
            | b"from"
            | b"gave"
            | b"gets"
            | b"give"
            | b"gives"
            | b"had"
            | b"has"
            | b"have"
            | b"he"
            | b"hence"
            | b"here"
            | b"higher"
            | b"how"
            | b"if"
            | b"im"
            | b"je"
            | b"pro"
            | b"und"
            | b"in"
            | b"instead"
            | b"into"
            | b"is"
            | b"it"
            | b"its"
            | b"just"
            | b"larger"
            | b"less"
            | b"longer"
            | b"lower"
            | b"made"
            | b"make"
            | b"makes"
            | b"many"
            | b"may"
            | b"might"
            | b"minus"
            | b"more"
            | b"most"
            | b"must"
            | b"neither"
            | b"nor"
            | b"not"
            | b"now"
            | b"of"
            | b"off"
            | b"on"
            | b"only"
            | b"onto"
            | b"or"
            | b"other"
            | b"out"
            | b"over"
            | b"per"
            | b"plus"
            | b"she"
            | b"should"
            | b"since"
            | b"slower"
            | b"smaller"
            | b"so"
            | b"some"
            | b"still"
            | b"such"
            | b"than"
            | b"that"
            | b"the"
            | b"their"
            | b"then"
            | b"there"
            | b"therefore"
            | b"these"
            | b"they"
            | b"this"
            | b"those"
            | b"through"
            | b"thus"
            | b"times"
            | b"to"
            | b"too"
            | b"total"
            | b"under"
            | b"until"
            | b"up"
            | b"upon"
            | b"versus"
            | b"very"
            | b"via"
            | b"vs"
            | b"was"
            | b"we"
            | b"were"
            | b"what"
            | b"when"
            | b"where"
            | b"whereas"
            | b"which"
            | b"while"
            | b"who"
            | b"will"
            | b"with"
            | b"within"
            | b"without"
            | b"would"
            | b"yes"
            | b"yet"
            | b"you"
    );
    !of_a_sentence && word.chars().nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_sentences_are_no_nouns() {
        assert!(is_noun("GPUs") && is_noun("layers"));
        for word in ["about", "and", "is", "of", "the", "yet", "you", "at", "in", "times"] {
            assert!(!is_noun(word), "{word}");
        }
    }
}
