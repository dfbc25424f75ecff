//! The labels that LaTeX's lists give their items.

/// How many levels of a list have labels of their own.
const LEVELS: usize = 4;

/// The lists that are open, and what their labels look like.
#[derive(Debug)]
pub(super) struct Lists {
    open: Vec<List>,
    /// The labels of numbered lists by level, where the author set them.
    formats: [Option<Format>; LEVELS],
    /// How far the last numbered list of each level counted.
    last: [usize; LEVELS],
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { open: Vec::new(), formats: [const { None }; LEVELS], last: [0; LEVELS] }
    }
}

#[derive(Debug)]
struct List {
    /// The label's format; lists without numbers have none.
    format: Option<Format>,
    count: usize,
    /// The level among numbered lists, from 0.
    level: usize,
}

/// A label: what stands before and behind the number, and how the number is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Format {
    before: String,
    style: Style,
    after: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Arabic,
    Alph,
    CapitalAlph,
    Roman,
    CapitalRoman,
}

impl Lists {
    /// Opens the list of an environment with these options.
    pub(super) fn open(&mut self, environment: &str, options: &str) {
        let level = self.open.iter().filter(|list| list.format.is_some()).count();
        let slot = level.min(LEVELS - 1);
        let default = match environment {
            "itemize" | "compactitem" | "description" | "list" | "trivlist" => None,
            "parts" => Some(Format::plain("(", Style::Alph, ")")),
            "subparts" => Some(Format::plain("", Style::Roman, ".")),
            "questions" => Some(Format::plain("", Style::Arabic, ".")),
            "tasks" => Some(Format::plain("", Style::Alph, ")")),
            _ => Some(self.formats[slot].clone().unwrap_or_else(|| default_format(slot))),
        };
        let format = default.map(|default| Format::of_options(options).unwrap_or(default));
        let mut count = 0;
        if let Some(start) = option(options, "start").and_then(|start| start.trim().parse::<usize>().ok()) {
            count = start.saturating_sub(1);
        } else if options.contains("resume") {
            count = self.last[slot];
        }
        self.open.push(List { format, count, level });
    }

    /// Closes the innermost list.
    pub(super) fn close(&mut self) {
        if let Some(List { format: Some(_), count, level }) = self.open.pop() {
            self.last[level.min(LEVELS - 1)] = count;
        }
    }

    /// The label of the next item of the innermost list.
    pub(super) fn next(&mut self) -> String {
        match self.open.last_mut() {
            Some(List { format: Some(format), count, .. }) => {
                *count += 1;
                format.label(*count)
            }
            _ => "-".to_owned(),
        }
    }

    /// How many lists are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Sets the labels of a level (from 0), or of all.
    pub(super) fn set(&mut self, level: Option<usize>, options: &str) {
        if let Some(format) = Format::of_options(options) {
            match level {
                Some(level) => self.formats[level.min(LEVELS - 1)] = Some(format),
                None => self.formats.fill(Some(format)),
            }
        }
    }

    /// Sets the counter of a level.
    pub(super) fn count(&mut self, level: usize, count: usize) {
        if let Some(list) = self.open.iter_mut().rfind(|list| list.format.is_some() && list.level == level) {
            list.count = count;
        }
    }
}

fn default_format(level: usize) -> Format {
    match level {
        0 => Format::plain("", Style::Arabic, "."),
        1 => Format::plain("(", Style::Alph, ")"),
        2 => Format::plain("", Style::Roman, "."),
        _ => Format::plain("", Style::CapitalAlph, "."),
    }
}

/// The value of an option: `label=(\alph*)`.
fn option<'a>(options: &'a str, name: &str) -> Option<&'a str> {
    let at = options.find(name)?;
    let value = options[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
    if let Some(braced) = value.strip_prefix('{') {
        return Some(&braced[..braced.rfind('}').unwrap_or(braced.len())]);
    }
    let mut depth = 0usize;
    let end = value.find(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    Some(&value[..end.unwrap_or(value.len())])
}

impl Format {
    fn plain(before: &str, style: Style, after: &str) -> Format {
        Format { before: before.to_owned(), style, after: after.to_owned() }
    }

    /// The format that the options of a list ask for: `label=(\alph*)`, or, in the older way, `(a)`.
    fn of_options(options: &str) -> Option<Format> {
        Format::of_command(option(options, "label").unwrap_or(options)).or_else(|| {
            let options = options.trim();
            let at = options.find(['a', 'A', '1', 'i', 'I'])?;
            let style = match &options[at..=at] {
                "a" => Style::Alph,
                "A" => Style::CapitalAlph,
                "1" => Style::Arabic,
                "i" => Style::Roman,
                _ => Style::CapitalRoman,
            };
            let (before, after) = (&options[..at], &options[at + 1..]);
            let signs = |text: &str| text.len() <= 3 && !text.contains(|c: char| c.is_alphanumeric());
            (signs(before) && signs(after)).then(|| Format::plain(before, style, after))
        })
    }

    /// The format of `(\alph*)` or `(\alph{enumi})`.
    pub(super) fn of_command(text: &str) -> Option<Format> {
        const STYLES: [(&str, Style); 5] = [
            ("\\arabic", Style::Arabic),
            ("\\alph", Style::Alph),
            ("\\Alph", Style::CapitalAlph),
            ("\\roman", Style::Roman),
            ("\\Roman", Style::CapitalRoman),
        ];
        let (at, name, style) = STYLES.iter().find_map(|&(name, style)| text.find(name).map(|at| (at, name, style)))?;
        let after = &text[at + name.len()..];
        let after = match after.strip_prefix('{') {
            Some(counter) => counter.split_once('}').map_or("", |(_, after)| after),
            None => after.trim_start_matches('*'),
        };
        Some(Format { before: bare(&text[..at]), style, after: bare(after) })
    }

    fn label(&self, number: usize) -> String {
        let text = match self.style {
            Style::Arabic => number.to_string(),
            Style::Alph => letter(number, 'a'),
            Style::CapitalAlph => letter(number, 'A'),
            Style::Roman => roman(number),
            Style::CapitalRoman => roman(number).to_uppercase(),
        };
        format!("{}{text}{}", self.before, self.after)
    }
}

/// A text without commands and braces.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut command = false;
    for c in text.chars() {
        match c {
            '\\' => command = true,
            '{' | '}' => command = false,
            _ if command && c.is_ascii_alphabetic() => {}
            _ => {
                command = false;
                bare.push(c);
            }
        }
    }
    bare.trim().to_owned()
}

/// The letter that stands for a number: `a` for 1.
pub(crate) fn letter(number: usize, first: char) -> String {
    let offset = u8::try_from(number.saturating_sub(1)).ok().filter(|&offset| offset < 26);
    offset.map_or_else(|| number.to_string(), |offset| char::from(first as u8 + offset).to_string())
}

/// A small number in Roman letters.
pub(crate) fn roman(number: usize) -> String {
    if number == 0 || number > 39 {
        return number.to_string();
    }
    const UNITS: [&str; 10] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
    format!("{}{}", "x".repeat(number / 10), UNITS[number % 10])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_lists() {
        for (environment, options, labels) in [
            ("enumerate", "", ["1.", "2."]),
            ("enumerate", "label=(\\alph*)", ["(a)", "(b)"]),
            ("enumerate", "label=\\textbf{(\\alph*)}, leftmargin=*", ["(a)", "(b)"]),
            ("enumerate", "label={\\Alph*.}, start=3", ["C.", "D."]),
            ("enumerate", "(a)", ["(a)", "(b)"]),
            ("enumerate", "i)", ["i)", "ii)"]),
            ("enumerate", "leftmargin=*", ["1.", "2."]),
            ("itemize", "", ["-", "-"]),
            ("parts", "", ["(a)", "(b)"]),
        ] {
            let mut lists = Lists::default();
            lists.open(environment, options);
            assert_eq!([lists.next(), lists.next()], labels, "{environment} {options}");
        }
        let mut lists = Lists::default();
        lists.set(Some(0), "label=(\\alph*)");
        lists.open("enumerate", "");
        assert_eq!(lists.next(), "(a)");
        lists.open("enumerate", "");
        assert_eq!(lists.next(), "(a)");
        lists.close();
        lists.close();
        lists.open("enumerate", "resume");
        assert_eq!(lists.next(), "(b)");
    }
}
