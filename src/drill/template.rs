//! The empty answer that students fill in: the drill's own parts, and a line for each value that is asked.
//!
//! Every label is one that the reader of the format finds again, so that nothing has to be guessed when the filled answer
//! comes back. Nothing in it says more than the question does.

use crate::answer::Kind;
use crate::drill::{CriterionKind, Drill, Part, figures};

/// What tells students where their reasons go.
const REASONS: &str = "your work and your reasons";

impl Drill {
    /// The empty answer in a format.
    pub fn template(&self, kind: Kind) -> String {
        self.template_with(kind, |_| String::new())
    }

    /// The answer in a format with the reference in every place: what the solver would hand in.
    pub fn solved_template(&self, kind: Kind) -> String {
        self.template_with(kind, |ask| self.value_of(ask))
    }

    /// A value as a careful student writes it; of a range, one inside it.
    pub fn value_of(&self, ask: usize) -> String {
        let ask = &self.asks[ask];
        figures::of_ask(ask, ask.formula.value())
    }

    /// The answer in a format, with a text in the place of each ask, by its place in [`Drill::asks`].
    pub fn template_with(&self, kind: Kind, fill: impl Fn(usize) -> String) -> String {
        let sections: Vec<Section> = self.all_parts().map(|part| Section::of(self, part, &fill)).collect();
        match kind {
            Kind::Latex => latex(self, &sections),
            Kind::Typst => typst(self, &sections),
            Kind::Notebook => notebook(self, &sections),
            Kind::Toml => toml(self, &sections),
            Kind::Json => json(self, &sections),
            Kind::Markdown => markdown(self, &sections),
            Kind::Text => text(self, &sections),
        }
    }
}

/// A part or an item, with what goes into it.
struct Section<'a> {
    part: &'a Part,
    is_item: bool,
    /// The lines of the question, where each student has other values in it.
    question: Vec<&'a str>,
    /// What is asked, and what stands there.
    lines: Vec<(&'a str, String)>,
    /// Whether an argument is looked for here.
    is_argued: bool,
}

impl<'a> Section<'a> {
    fn of(drill: &'a Drill, part: &'a Part, fill: &impl Fn(usize) -> String) -> Section<'a> {
        let asked = |at: &&usize| drill.asks[**at].required || drill.rubric.values.get(**at).is_some_and(|points| *points > 0.0);
        let is_argued = drill
            .rubric
            .criteria
            .iter()
            .any(|criterion| criterion.part == part.id && !matches!(criterion.kind, CriterionKind::Separate(_)));
        Section {
            part,
            question: if drill.varies() { part.text.lines().collect() } else { Vec::new() },
            is_item: !drill.parts.iter().any(|top| top.id == part.id),
            lines: part.asks.iter().filter(asked).map(|at| (drill.asks[*at].asks.as_str(), fill(*at))).collect(),
            is_argued,
        }
    }

    fn heading(&self) -> String {
        format!("({}) {}", self.part.id, self.part.title)
    }

    /// The question, each line behind a mark by which it is no answer.
    fn asked(&self, mark: &str) -> String {
        self.question.iter().map(|line| format!("{}\n", format!("{mark}{line}").trim_end())).collect()
    }
}

fn markdown(drill: &Drill, sections: &[Section]) -> String {
    let mut out = format!("# {}\n\n<!-- Write each value behind its colon, with its unit. -->\n", escaped(&drill.title, MARKDOWN));
    for section in sections {
        let level = if section.is_item { "###" } else { "##" };
        out += &format!("\n{level} {}\n\n", escaped(&section.heading(), MARKDOWN));
        out += &section.asked("> ");
        out += if section.question.is_empty() { "" } else { "\n" };
        for (label, value) in &section.lines {
            out += format!("- {}: {value}", escaped(label, MARKDOWN)).trim_end();
            out.push('\n');
        }
        if section.is_argued || section.lines.is_empty() {
            out += if section.lines.is_empty() { "" } else { "\n" };
            out += &format!("<!-- {REASONS} -->\n");
        }
    }
    out
}

fn text(drill: &Drill, sections: &[Section]) -> String {
    let mut out = format!("{}\n", drill.title);
    for section in sections {
        out += &format!("\n{}\n{}", section.heading(), section.asked("> "));
        for (label, value) in &section.lines {
            out += format!("- {label}: {value}").trim_end();
            out.push('\n');
        }
    }
    out
}

fn latex(drill: &Drill, sections: &[Section]) -> String {
    let mut out = String::from("\\documentclass{article}\n\\usepackage{siunitx}\n\n");
    out += &format!("\\title{{{}}}\n\\begin{{document}}\n\\maketitle\n", escaped_latex(&drill.title));
    out += "% Write each value behind its colon, with its unit: \\SI{1.5}{\\milli\\second} or 1.5 ms.\n";
    for section in sections {
        let command = if section.is_item { "subsection" } else { "section" };
        out += &format!("\n\\{command}*{{{}}}\n", escaped_latex(&section.heading()));
        out += &section.asked("% ");
        if !section.lines.is_empty() {
            out += "\\begin{itemize}\n";
            for (label, value) in &section.lines {
                out += format!("  \\item {}: {}", escaped_latex(label), escaped_latex(value)).trim_end();
                out.push('\n');
            }
            out += "\\end{itemize}\n";
        }
        if section.is_argued || section.lines.is_empty() {
            out += &format!("% {REASONS}\n");
        }
    }
    out + "\n\\end{document}\n"
}

fn typst(drill: &Drill, sections: &[Section]) -> String {
    let mut out = format!("= {}\n\n// Write each value behind its colon, with its unit.\n", escaped(&drill.title, TYPST));
    for section in sections {
        let level = if section.is_item { "===" } else { "==" };
        out += &format!("\n{level} {}\n\n", escaped(&section.heading(), TYPST));
        out += &section.asked("// ");
        for (label, value) in &section.lines {
            out += format!("- {}: {}", escaped(label, TYPST), escaped(value, TYPST)).trim_end();
            out.push('\n');
        }
        if section.is_argued || section.lines.is_empty() {
            out += &format!("// {REASONS}\n");
        }
    }
    out
}

/// A cell for each part, so that people can put code between them.
fn notebook(drill: &Drill, sections: &[Section]) -> String {
    let cell = |id: String, text: String| {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        serde_json::json!({ "cell_type": "markdown", "id": id, "metadata": {}, "source": lines })
    };
    let title = format!("# {}\n\nWrite each value behind its colon, with its unit.", escaped(&drill.title, MARKDOWN));
    let mut cells = vec![cell("title".to_owned(), title)];
    for section in sections {
        let level = if section.is_item { "###" } else { "##" };
        let mut text = format!("{level} {}\n", escaped(&section.heading(), MARKDOWN));
        if !section.question.is_empty() {
            text += &format!("\n{}", section.asked("> "));
        }
        for (label, value) in &section.lines {
            text += format!("\n- {}: {value}", escaped(label, MARKDOWN)).trim_end();
        }
        cells.push(cell(format!("part-{}", section.part.id), text));
    }
    let kernel = serde_json::json!({ "display_name": "Python 3", "language": "python", "name": "python3" });
    let book = serde_json::json!({ "cells": cells, "metadata": { "kernelspec": kernel }, "nbformat": 4, "nbformat_minor": 5 });
    let mut text = serde_json::to_string_pretty(&book).expect("texts can be written");
    text.push('\n');
    text
}

/// A table a part; what is asked is its own key.
fn toml(drill: &Drill, sections: &[Section]) -> String {
    let quoted = |text: &str| ::toml::Value::String(text.to_owned()).to_string();
    let mut out = format!("# {}\n# Write each value as a text, with its unit: \"1.5 ms\".\n", drill.title);
    out += &format!("drill = {}\n", quoted(&drill.id));
    for section in sections {
        out += &format!("\n[{}]                    # {}\n{}", section.part.id, section.part.title, section.asked("# "));
        for (label, value) in &section.lines {
            out += &format!("{} = {}\n", quoted(label), quoted(value));
        }
        if section.is_argued || section.lines.is_empty() {
            out += &format!("reasons = \"\"\"\n\"\"\"            # {REASONS}\n");
        }
    }
    out
}

fn json(drill: &Drill, sections: &[Section]) -> String {
    let mut book = serde_json::Map::new();
    book.insert("drill".to_owned(), drill.id.clone().into());
    for section in sections {
        let lines = section.lines.iter().map(|(label, value)| ((*label).to_owned(), value.clone().into()));
        book.insert(section.part.id.clone(), serde_json::Value::Object(lines.collect()));
    }
    let mut text = serde_json::to_string_pretty(&book).expect("texts can be written");
    text.push('\n');
    text
}

/// What Markdown and Typst would take for markup.
const MARKDOWN: &str = "\\`*_<>[]|$";
const TYPST: &str = "\\`*_<>[]#$@~";

fn escaped(text: &str, special: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if special.contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn escaped_latex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '%' | '&' | '#' | '_' | '$' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            c => out.push(c),
        }
    }
    out
}
