//! A realistic class of any size, for measuring: `cargo run --example class -- 10000 DIR [DRILL]`.
//!
//! Every answer is made from the drill itself: right values and rounded ones, listed mistakes, lost units, gaps; the
//! arguments are the rubric's own samples, good and bad. They come as Markdown, LaTeX, plain text and tables, some 5 KB
//! each, and the same number gives the same class. A `DIR` that ends in `.jsonl` becomes one stream of lines.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use drillmark::drill::{Ask, AskKind, Drill, Library, Part};
use drillmark::formula::Formula;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (Some(count), Some(to)) = (args.first().and_then(|count| count.parse::<u64>().ok()), args.get(1).map(Path::new)) else {
        return Err("usage: class COUNT DIR|FILE.jsonl [DRILL]".into());
    };
    let id = args.get(2).map_or("communication-budget", String::as_str);
    let drill = Library::built_in().load(id).map_err(|why| format!("{id}: {why:?}"))?;
    let width = count.to_string().len();
    if to.extension().is_some_and(|extension| extension == "jsonl") {
        let mut lines = BufWriter::new(File::create(to)?);
        for number in 1..=count {
            let (text, kind) = Writer::new(&drill, number).answer();
            serde_json::to_writer(&mut lines, &serde_json::json!({ "id": format!("s{number:0width$}"), "text": text, "kind": kind }))?;
            lines.write_all(b"\n")?;
        }
        lines.flush()?;
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for number in 1..=count {
        let (text, kind) = Writer::new(&drill, number).answer();
        fs::write(to.join(format!("s{number:0width$}.{kind}")), text)?;
    }
    Ok(())
}

/// What a student can make of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Sentences,
    Work,
    Table,
    Latex,
    Plain,
}

/// One student.
struct Writer<'a> {
    drill: &'a Drill,
    state: u64,
    style: Style,
    /// How sure the student is, from 0 to 100.
    skill: u64,
}

impl<'a> Writer<'a> {
    fn new(drill: &'a Drill, number: u64) -> Writer<'a> {
        let mut writer = Writer { drill, state: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, style: Style::Sentences, skill: 0 };
        writer.style = [Style::Sentences, Style::Work, Style::Table, Style::Latex, Style::Plain][writer.below(5)];
        writer.skill = 40 + writer.below(61) as u64;
        writer
    }

    /// The next number below a bound (xorshift: even enough for making up a class).
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % bound
    }

    fn percent(&mut self, chance: u64) -> bool {
        (self.below(100) as u64) < chance
    }

    fn answer(mut self) -> (String, &'static str) {
        let mut text = String::new();
        if self.style == Style::Latex {
            text.push_str("\\documentclass{article}\n\\begin{document}\n");
        }
        for part in self.drill.all_parts() {
            if self.percent(97) {
                self.part(part, &mut text);
            }
        }
        if self.style == Style::Latex {
            text.push_str("\\end{document}\n");
        }
        let kind = match self.style {
            Style::Latex => "tex",
            Style::Plain => "txt",
            Style::Sentences | Style::Work | Style::Table => "md",
        };
        (text, kind)
    }

    fn part(&mut self, part: &Part, text: &mut String) {
        let (id, title) = (&part.id, &part.title);
        let is_heading = self.percent(50);
        let _ = match self.style {
            Style::Latex => writeln!(text, "\\section*{{({id}) {title}}}\n"),
            Style::Plain => writeln!(text, "({id}) {title}\n"),
            _ if is_heading => writeln!(text, "## ({id}) {title}\n"),
            _ => writeln!(text, "**({id})** {title}.\n"),
        };
        if self.percent(20) && self.style != Style::Latex {
            for line in part.text.lines().filter(|line| !line.trim().is_empty()) {
                let _ = writeln!(text, "> {line}");
            }
            text.push('\n');
        }
        if self.style == Style::Table && !part.asks.is_empty() {
            text.push_str("| quantity | value |\n|---|---|\n");
        }
        for &at in &part.asks {
            let ask = &self.drill.asks[at];
            if self.percent(if ask.required { 96 } else { 50 }) {
                self.value(ask, text);
            }
        }
        text.push('\n');
        self.arguments(part, text);
    }

    /// A line on one asked quantity.
    fn value(&mut self, ask: &Ask, text: &mut String) {
        let is_right = self.percent(self.skill);
        let formula = match ask.mistakes.len() {
            0 => &ask.formula,
            _ if is_right => &ask.formula,
            mistakes => &ask.mistakes[self.below(mistakes)].formula,
        };
        let value = self.written(ask, formula);
        let name = &ask.asks;
        let work = formula.text();
        let _ = match self.style {
            Style::Table => writeln!(text, "| {name} | {value} |"),
            Style::Work => match ask.symbols.first() {
                Some(symbol) => writeln!(text, "- {name}: {symbol} = {work} = {value}"),
                None => writeln!(text, "- {name}: {work} = {value}"),
            },
            Style::Latex => writeln!(text, "For {name} I get ${value}$.\n"),
            Style::Plain => writeln!(text, "{name} = {value}"),
            Style::Sentences => {
                let opening = ["So", "This gives", "Putting in the numbers,", "With the given values,", "As a check:"][self.below(5)];
                writeln!(text, "{opening} {name} is {value}, which follows from what is given.\n")
            }
        };
    }

    /// A value in one of the spellings that students use.
    fn written(&mut self, ask: &Ask, formula: &Formula) -> String {
        let value = formula.value().to_f64();
        let Some(unit) = &ask.unit else {
            return if matches!(ask.kind, AskKind::Count) { format!("{value:.0}") } else { self.figures(value) };
        };
        let number = self.figures(value / unit.factor.to_f64());
        // Now and then a unit is forgotten.
        let has_unit = self.percent(97);
        match unit.symbol.as_str() {
            "x" => format!("{number}x"),
            "%" if has_unit && self.style == Style::Latex => format!("{number}\\,\\%"),
            symbol if has_unit => format!("{number} {symbol}"),
            _ => number,
        }
    }

    fn figures(&mut self, value: f64) -> String {
        if value == 0.0 || !value.is_finite() {
            return "0".to_owned();
        }
        let figures = 2 + self.below(4) as i32;
        let exponent = value.abs().log10().floor() as i32;
        if exponent >= 6 {
            let mantissa = format!("{:.*}", (figures - 1).max(1) as usize, value / 10f64.powi(exponent));
            return match self.style {
                Style::Latex => format!("{mantissa} \\times 10^{{{exponent}}}"),
                _ => format!("{mantissa} × 10^{exponent}"),
            };
        }
        format!("{value:.*}", (figures - 1 - exponent).max(0) as usize)
    }

    /// The words of the part: samples of its criteria, and what students write around them.
    fn arguments(&mut self, part: &Part, text: &mut String) {
        let drill = self.drill;
        for criterion in drill.rubric.criteria.iter().filter(|criterion| criterion.part == part.id && !criterion.samples.is_empty()) {
            let sample = criterion.samples[self.below(criterion.samples.len())].text.trim();
            let _ = match self.style {
                Style::Latex => writeln!(text, "{}\n", sample.replace('%', "\\%").replace('&', "\\&").replace('_', "\\_")),
                _ => writeln!(text, "{sample}\n"),
            };
        }
        for _ in 0..self.below(3) {
            let said = SAID[self.below(SAID.len())];
            let _ = writeln!(text, "{said}\n");
        }
    }
}

/// What people write between their numbers.
const SAID: [&str; 8] = [
    "I first wrote down what the question gives and then what has to be worked out, so that the units can be checked on the way.",
    "The formula has two terms, and it is worth looking at which of them matters before putting the numbers in.",
    "I rounded only at the end; the values in between were kept with all their digits.",
    "One could object that the real machine behaves differently, but the question asks for the model.",
    "To see whether this is plausible I compared it with the time of one step and with the size of the message.",
    "The units work out, since bytes divided by bytes per second are seconds.",
    "If the number of workers were larger, the first term would grow with it, while the second would hardly change.",
    "This is the same result as in the lecture's example, apart from the different numbers.",
];
