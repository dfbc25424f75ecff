//! Numbers, units and quantities in the notation of the packages siunitx (versions 2 and 3) and mhchem.

use crate::answer::tex::Tex;
use crate::text::Span;

impl Tex<'_> {
    /// Reads one of the packages' commands; false if `name` is none of them. The head stands behind the name.
    pub(super) fn siunitx(&mut self, name: &str, from: usize) -> bool {
        let (values, list, has_unit) = match name {
            "num" => (1, false, false),
            "ang" => (1, false, false),
            "SI" | "qty" => (1, false, true),
            "si" | "unit" => (0, false, true),
            "numrange" => (2, false, false),
            "SIrange" | "qtyrange" => (2, false, true),
            "numlist" | "numproduct" => (1, true, false),
            "SIlist" | "qtylist" | "qtyproduct" => (1, true, true),
            "pu" => (1, false, false),
            _ => return false,
        };
        let back = self.at;
        self.skip_spaces();
        self.options();
        let mut arguments = Vec::new();
        for _ in 0..values + usize::from(has_unit) {
            // Version 2 allows a unit that stands before the number: \SI{12}[\$]{}.
            self.options();
            match self.argument() {
                Some(argument) => arguments.push(argument),
                None => {
                    // Not the package's command (the physics package has a \qty(…) of its own), or broken.
                    self.at = back;
                    return true;
                }
            }
        }
        let start = self.ink.len();
        let unit = has_unit.then(|| arguments.pop()).flatten();
        let unit = unit.map(|span| (span, self.unit(span)));
        let values: Vec<Span> = if list { self.split(arguments[0]) } else { arguments };
        let last = values.len().saturating_sub(1);
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.join(name, index == last, value);
            }
            match name {
                "pu" => self.verbatim(value.start, value.end),
                _ => self.number(value),
            }
            if name == "ang" {
                self.push_for("°", value.end, value.end);
            }
            // In a list each number has the unit; only the last one stands beside it.
            if let Some((span, unit)) = &unit
                && index < last
                && list
            {
                self.push_unit(unit, Span::new(value.end, value.end));
                let _ = span;
            }
        }
        if let Some((span, unit)) = unit {
            self.push_unit(&unit, span);
        }
        self.group(start, from);
        true
    }

    /// What stands between two values.
    fn join(&mut self, name: &str, last: bool, value: Span) {
        let text = match name {
            "numproduct" | "qtyproduct" => " × ",
            "numrange" | "SIrange" | "qtyrange" => "–",
            _ if last => " and ",
            _ => ", ",
        };
        self.push_for(text, value.start, value.start);
    }

    /// The values of a list.
    fn split(&self, list: Span) -> Vec<Span> {
        let mut values = Vec::new();
        let mut start = list.start;
        for part in self.text[list.range()].split([';', 'x']) {
            values.push(Span::new(start, start + part.len()));
            start += part.len() + 1;
        }
        values
    }

    /// A number: point and comma are both decimal marks, spaces only group digits.
    fn number(&mut self, span: Span) {
        let mut at = span.start;
        let text = self.text;
        while at < span.end {
            let rest = &text[at..span.end];
            let here = rest.chars().next().map_or(1, char::len_utf8);
            let mut written = self.ink.last();
            if at == span.start {
                written = None;
            }
            match rest.as_bytes()[0] {
                b',' => self.push_for(".", at, at + 1),
                b' ' | b'~' | b'\t' | b'\n' | b'\r' | b'{' | b'}' | b'_' => {}
                b'e' | b'E' | b'd' | b'D' => {
                    if !written.is_some_and(|c| c.is_ascii_digit() || c == '.') {
                        self.push_for("1", at, at);
                    }
                    self.push_for("e", at, at + 1);
                }
                b'x' => self.push_for(" × ", at, at + 1),
                b'+' if rest.starts_with("+-") => {
                    self.push_for(" ± ", at, at + 2);
                    at += 2;
                    continue;
                }
                b'\\' => {
                    self.at = at;
                    let name = self.name();
                    let to = self.at.min(span.end);
                    match name {
                        "pm" => self.push_for(" ± ", at, to),
                        "times" | "cdot" => self.push_for(" × ", at, to),
                        "," | " " => {}
                        _ => {
                            if let Some(sign) = super::symbol(name) {
                                self.push_for(sign, at, to);
                            } else if let Some(body) = self.macros.get(name) {
                                let body = body.to_owned();
                                self.push_for(&body, at, to);
                            }
                        }
                    }
                    at = to.max(at + 1);
                    continue;
                }
                _ => self.verbatim(at, at + here),
            }
            at += here;
        }
        self.at = self.at.max(span.end);
    }

    /// Writes a unit behind the number it belongs to.
    fn push_unit(&mut self, unit: &str, span: Span) {
        if unit.is_empty() {
            return;
        }
        let tight = unit.starts_with('°') && !unit.starts_with("°C");
        if !tight && self.ink.last().is_some_and(|c| !c.is_whitespace()) {
            self.push_for(" ", span.start, span.start);
        }
        self.push_for(unit, span.start, span.end);
    }

    /// What a unit argument prints: `\tera\byte\per\second` is `TB/s`.
    fn unit(&mut self, span: Span) -> String {
        let text = &self.text[span.range()];
        unit_text(text, &|name| self.macros.get(name).map(str::to_owned), 0)
    }
}

/// A unit in the package's commands or in letters, as it is usually written.
fn unit_text(text: &str, macros: &dyn Fn(&str) -> Option<String>, depth: usize) -> String {
    let mut over = String::new();
    let mut under = String::new();
    let mut prefix = "";
    let mut power = "";
    let mut per = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let Some(after) = rest.strip_prefix('\\') else {
            // Letters: as they stand, but with a dot or tie for a product and without braces around exponents.
            let end = rest.find('\\').unwrap_or(rest.len());
            let letters: String = rest[..end]
                .chars()
                .filter(|c| !matches!(c, '{' | '}' | '$'))
                .map(|c| if matches!(c, '.' | '~') { '·' } else { c })
                .collect();
            let side = if per { &mut under } else { &mut over };
            side.push_str(letters.trim());
            rest = &rest[end..];
            continue;
        };
        let letters = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if letters > 0 { letters } else { after.chars().next().map_or(0, char::len_utf8) };
        let name = &after[..length];
        rest = &after[length..];
        debug_assert_eq!(c, '\\');
        match name {
            "per" => {
                per = true;
                continue;
            }
            "squared" | "cubed" => {
                let side = if under.is_empty() { &mut over } else { &mut under };
                side.push_str(if name == "squared" { "²" } else { "³" });
                continue;
            }
            "square" => power = "²",
            "cubic" => power = "³",
            "tothe" | "raiseto" | "of" => {
                let close = rest.find('}').filter(|_| rest.starts_with('{'));
                let inner = close.map_or("", |close| &rest[1..close]);
                rest = close.map_or(rest, |close| &rest[close + 1..]);
                let side = if under.is_empty() { &mut over } else { &mut under };
                match name {
                    "tothe" => side.extend(["^", inner]),
                    "of" => side.extend([" ", inner]),
                    _ => {}
                }
            }
            "," | " " | "cdot" | "times" => {
                let side = if per { &mut under } else { &mut over };
                side.push('·');
            }
            "highlight" | "cancel" => {}
            _ => {
                if let Some(sign) = prefix_sign(name) {
                    prefix = sign;
                    continue;
                }
                let declared = if depth < 4 { macros(name).map(|body| unit_text(&body, macros, depth + 1)) } else { None };
                let unit = declared.as_deref().or(unit_sign(name)).unwrap_or(name);
                let side = if per { &mut under } else { &mut over };
                if side.chars().next_back().is_some_and(|c| c.is_alphanumeric() || matches!(c, '²' | '³')) {
                    side.push('·');
                }
                side.extend([prefix, unit, power]);
                (prefix, power, per) = ("", "", false);
            }
        }
    }
    match (over.is_empty(), under.is_empty()) {
        (_, true) => over,
        (true, false) => format!("1/{under}"),
        (false, false) if under.contains('·') => format!("{over}/({under})"),
        (false, false) => format!("{over}/{under}"),
    }
}

fn prefix_sign(name: &str) -> Option<&'static str> {
    Some(match name {
        "femto" => "f",
        "pico" => "p",
        "nano" => "n",
        "micro" => "µ",
        "milli" => "m",
        "centi" => "c",
        "deci" => "d",
        "hecto" => "h",
        "kilo" => "k",
        "mega" => "M",
        "giga" => "G",
        "tera" => "T",
        "peta" => "P",
        "exa" => "E",
        "zetta" => "Z",
        "yotta" => "Y",
        "kibi" => "Ki",
        "mebi" => "Mi",
        "gibi" => "Gi",
        "tebi" => "Ti",
        "pebi" => "Pi",
        "exbi" => "Ei",
        _ => return None,
    })
}

/// The sign of a unit; units whose command is their sign (`\ms`, `\kHz`) have no row.
fn unit_sign(name: &str) -> Option<&'static str> {
    Some(match name {
        "byte" => "B",
        "bit" => "bit",
        "second" => "s",
        "us" => "µs",
        "minute" => "min",
        "hour" => "h",
        "day" => "d",
        "hertz" => "Hz",
        "percent" | "%" => "%",
        "meter" | "metre" => "m",
        "um" => "µm",
        "gram" => "g",
        "kilogram" => "kg",
        "tonne" => "t",
        "liter" | "litre" => "L",
        "watt" => "W",
        "joule" => "J",
        "watthour" => "Wh",
        "electronvolt" => "eV",
        "volt" => "V",
        "ampere" => "A",
        "ohm" => "Ω",
        "newton" => "N",
        "pascal" => "Pa",
        "coulomb" => "C",
        "farad" => "F",
        "siemens" => "S",
        "kelvin" => "K",
        "degreeCelsius" | "celsius" => "°C",
        "degree" => "°",
        "mole" => "mol",
        "decibel" => "dB",
        "bel" => "B",
        "$" => "$",
        _ => return None,
    })
}
