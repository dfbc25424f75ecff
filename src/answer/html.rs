//! The HTML that Markdown allows: which of it is shown, and what it does to the text.

use crate::answer::Role;
use crate::answer::page::Page;
use crate::answer::tex::is_white;
use crate::text::Span;

/// How many open elements are remembered; what is opened inside that is shown as if it were not there.
const MAX_OPEN: usize = 64;

/// The elements that are open, over a whole document.
#[derive(Debug, Default)]
pub(crate) struct Html {
    open: Vec<Element>,
    /// Inside a comment, or inside an element whose text is for machines, up to the closing of that name.
    skipping: Option<&'static str>,
    /// A tag that was begun in an earlier line.
    partial: Option<(String, usize)>,
    /// Table, row, column of the innermost table.
    cell: Option<(usize, usize, usize)>,
    /// Whether an element was opened in the line that is being read, and has to be closed with its paragraph.
    lists: Vec<usize>,
}

#[derive(Debug)]
struct Element {
    name: String,
    effect: Effect,
    inline: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Effect {
    None,
    Hidden,
    Strong,
    Struck,
    Quote,
    /// A superscript or subscript that began here in the passage and in the source.
    Script(usize, usize),
}

impl Html {
    /// A tag or comment inside a paragraph.
    pub(crate) fn inline(&mut self, page: &mut Page, text: &str, span: Span) {
        let tag = &text[span.range()];
        if !tag.starts_with("<!") && !tag.starts_with("<?") {
            self.tag(page, tag, text, span, true);
        }
    }

    /// A line of a block of HTML.
    pub(crate) fn block(&mut self, page: &mut Page, text: &str, span: Span) {
        let mut at = span.start;
        while at < span.end {
            let rest = &text[at..span.end];
            if let Some(close) = self.skipping {
                match find_ignoring_case(rest, close) {
                    Some(found) => {
                        self.skipping = None;
                        at += found + if close == "-->" { 3 } else { 0 };
                    }
                    None => return,
                }
            } else if let Some((mut tag, start)) = self.partial.take() {
                let end = rest.find('>').map_or(rest.len(), |end| end + 1);
                tag.push_str(&rest[..end]);
                at += end;
                if tag.ends_with('>') {
                    self.tag(page, &tag, text, Span::new(start, at), false);
                } else if tag.len() < 4000 {
                    self.partial = Some((tag, start));
                }
            } else if rest.starts_with("<!--") {
                self.skipping = Some("-->");
                at += 4;
            } else if rest.starts_with('<') && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
                match rest.find('>') {
                    Some(end) => {
                        at += end + 1;
                        self.tag(page, &rest[..=end], text, Span::new(at - end - 1, at), false);
                    }
                    None => {
                        self.partial = Some((rest.to_owned(), at));
                        at = span.end;
                    }
                }
            } else {
                let sign = entity(rest);
                let one = rest.chars().next().map_or(1, char::len_utf8);
                let end = match &sign {
                    Some((_, length)) => *length,
                    None => rest[one..].find(['<', '&']).map_or(rest.len(), |end| one + end),
                };
                match sign {
                    Some((sign, _)) => page.push_for(&sign, Span::new(at, at + end)),
                    None => page.push(&rest[..end], at),
                }
                at += end;
            }
        }
    }

    /// Closes what a paragraph left open inside itself.
    pub(crate) fn end_of_inline(&mut self, page: &mut Page) {
        while self.open.last().is_some_and(|element| element.inline) {
            self.close_last(page, None);
        }
    }

    fn tag(&mut self, page: &mut Page, tag: &str, text: &str, span: Span, inline: bool) {
        let inner = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
        let closing = inner.starts_with('/');
        let inner = inner.trim_start_matches('/');
        let length = inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let name = inner[..length].to_ascii_lowercase();
        if closing {
            self.close(page, &name, span);
        } else {
            self.open(page, name, &inner[length..], text, span, inline);
        }
    }

    fn open(&mut self, page: &mut Page, name: String, attributes: &str, text: &str, span: Span, inline: bool) {
        if !inline {
            self.begin_block(page, &name);
        }
        match name.as_str() {
            "br" => page.push_for("\n", span),
            "script" | "style" | "template" | "title" if !inline => {
                self.skipping = Some(match name.as_str() {
                    "script" => "</script",
                    "style" => "</style",
                    "template" => "</template",
                    _ => "</title",
                });
            }
            "img" | "hr" | "input" | "meta" | "link" | "col" | "wbr" | "area" | "base" | "source" => {}
            _ => {
                if self.open.len() >= MAX_OPEN {
                    return;
                }
                let effect = match name.as_str() {
                    _ if hides(attributes) => Effect::Hidden,
                    "script" | "style" | "template" | "title" => Effect::Hidden,
                    "b" | "strong" => Effect::Strong,
                    "s" | "del" | "strike" => Effect::Struck,
                    "blockquote" => Effect::Quote,
                    "sup" | "sub" if page.hidden == 0 => {
                        let start = page.ink.len();
                        let after = &text[span.end..];
                        // A star or a degree up there is part of the name.
                        if !after.starts_with('*') && !after.starts_with('°') {
                            page.push_for(if name == "sup" { "^" } else { "_" }, span);
                        }
                        Effect::Script(start, span.start)
                    }
                    _ => Effect::None,
                };
                match effect {
                    Effect::Hidden => page.hidden += 1,
                    Effect::Strong => page.strong(true),
                    Effect::Struck => page.struck(true),
                    Effect::Quote => page.quoted += 1,
                    Effect::Script(..) | Effect::None => {}
                }
                self.open.push(Element { name, effect, inline });
            }
        }
    }

    /// What a block element does to the page.
    fn begin_block(&mut self, page: &mut Page, name: &str) {
        match name {
            "p" | "div" | "section" | "article" | "details" | "summary" | "main" | "header" | "footer" | "center" | "figure" | "dl"
            | "dt" | "dd" | "blockquote" | "form" | "fieldset" => page.begin(Role::Paragraph),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => page.begin(Role::Heading(name.as_bytes()[1] - b'0')),
            "pre" => page.begin(Role::Code(String::new())),
            "ul" | "ol" => {
                page.finish();
                if self.lists.len() < MAX_OPEN {
                    self.lists.push(usize::from(name == "ol"));
                }
            }
            "li" => {
                let depth = self.lists.len().max(1);
                let marker = match self.lists.last_mut() {
                    Some(number) if *number > 0 => {
                        *number += 1;
                        format!("{}.", *number - 1)
                    }
                    _ => "-".to_owned(),
                };
                page.begin(Role::Item { marker, depth });
            }
            "table" => {
                page.finish();
                self.cell = Some((page.next_table(), 0, 0));
            }
            "tr" => {
                page.finish();
                if let Some((_, row, column)) = &mut self.cell {
                    *row += usize::from(*column > 0);
                    *column = 0;
                }
            }
            "td" | "th" => {
                if let Some((table, row, column)) = &mut self.cell {
                    page.begin(Role::Cell { table: *table, row: *row, column: *column, header: name == "th" && *row == 0 });
                    *column += 1;
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, page: &mut Page, name: &str, span: Span) {
        match name {
            "ul" | "ol" => {
                self.lists.pop();
                page.finish();
            }
            "table" => {
                self.cell = None;
                page.finish();
            }
            "p" | "div" | "section" | "article" | "details" | "summary" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "pre" | "li" | "td"
            | "th" | "tr" | "dt" | "dd" | "blockquote" => page.finish(),
            _ => {}
        }
        if self.open.iter().any(|element| element.name == name) {
            while let Some(last) = self.open.last() {
                let found = last.name == name;
                self.close_last(page, Some(span));
                if found {
                    break;
                }
            }
        }
    }

    fn close_last(&mut self, page: &mut Page, span: Option<Span>) {
        let Some(element) = self.open.pop() else { return };
        match element.effect {
            Effect::None => {}
            Effect::Hidden => page.hidden = page.hidden.saturating_sub(1),
            Effect::Strong => page.strong(false),
            Effect::Struck => page.struck(false),
            Effect::Quote => {
                page.finish();
                page.quoted = page.quoted.saturating_sub(1);
            }
            Effect::Script(start, from) => {
                if let Some(span) = span
                    && start < page.ink.len()
                {
                    let end = page.ink.len();
                    page.ink.passage.group(start..end, Span::new(from, span.end));
                }
            }
        }
    }
}

/// Whether an element's attributes keep it from being seen.
fn hides(attributes: &str) -> bool {
    if attributes.is_empty() {
        return false;
    }
    let plain: String = attributes.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    if plain.contains("display:none")
        || plain.contains("visibility:hidden")
        || plain.contains("font-size:0")
        || plain.contains("opacity:0;")
    {
        return true;
    }
    if attributes.split_whitespace().any(|word| word.eq_ignore_ascii_case("hidden")) {
        return true;
    }
    let background = plain.replace("background-color:", "background:");
    background.match_indices("color:").chain(background.match_indices("color=")).any(|(at, name)| {
        let value = background[at + name.len()..].trim_start_matches(['"', '\'']);
        let end = value.find([';', '"', '\'']).unwrap_or(value.len());
        is_white(&value[..end])
    })
}

fn find_ignoring_case(text: &str, what: &str) -> Option<usize> {
    let what = what.as_bytes();
    text.as_bytes().windows(what.len()).position(|window| window.eq_ignore_ascii_case(what))
}

/// The sign that an entity at the start of a text stands for, and the entity's length.
pub(crate) fn entity(text: &str) -> Option<(String, usize)> {
    let inner = text.strip_prefix('&')?;
    let end = inner.bytes().take(32).position(|byte| byte == b';')?;
    let name = &inner[..end];
    let sign = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|&c| c != '\0')?
        }
        None => named_entity(name)?,
    };
    Some((sign.to_string(), end + 2))
}

fn named_entity(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{A0}',
        "thinsp" => '\u{2009}',
        "ensp" => '\u{2002}',
        "emsp" => '\u{2003}',
        "micro" => 'µ',
        "mu" => 'μ',
        "alpha" => 'α',
        "beta" => 'β',
        "eta" => 'η',
        "Delta" => 'Δ',
        "times" => '×',
        "middot" | "centerdot" => '·',
        "sdot" => '⋅',
        "divide" => '÷',
        "minus" => '−',
        "plusmn" | "pm" => '±',
        "approx" | "asymp" | "ap" => '≈',
        "sim" => '∼',
        "le" | "leq" => '≤',
        "ge" | "geq" => '≥',
        "ne" => '≠',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "rarr" => '→',
        "rArr" => '⇒',
        "frac12" | "half" => '½',
        "frac14" => '¼',
        "frac34" => '¾',
        "sup2" => '²',
        "sup3" => '³',
        "deg" => '°',
        "permil" => '‰',
        "euro" => '€',
        "pound" => '£',
        "ast" => '*',
        "percnt" => '%',
        "equals" => '=',
        "shy" => '\u{AD}',
        "infin" => '∞',
        _ => return None,
    })
}
