//! Findings in the making: each has its place, and none is told that the author has answered with a reason.
//!
//! `because = { CODE = "why" }` on a thing answers the findings of that code on that thing; where a finding is about
//! something by name (a mutant, another mistake), `because = { CODE = { "NAME" = "why" } }` answers only that one.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::diagnostic::{self, CODES, Diagnostic, Label, Severity};
use crate::lint::tree::{Kind, Tree};
use crate::text::Span;

/// The tables whose keys the author chooses.
const NAMED: [&str; 7] = ["given", "assume", "let", "unit", "concept", "values", "totals"];

/// A file that findings are about.
#[derive(Debug)]
pub(super) struct File {
    /// As [`Source::name`](crate::text::Source::name) has it.
    pub(super) name: String,
    /// What stands where.
    pub(super) tree: Tree,
}

/// A thing in a file: a given, an ask, a mistake, a criterion. Its table may carry reasons.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing<'a> {
    pub(super) file: &'a File,
    pub(super) tree: &'a Tree,
}

impl<'a> Thing<'a> {
    /// The place of what stands under a key of the thing, or of the thing where nothing does.
    pub(super) fn at(self, key: &str) -> Span {
        if self.tree.has(key) { self.tree.get(key).span } else { self.place() }
    }

    /// The place of an element of a list of the thing.
    pub(super) fn element(self, key: &str, at: usize) -> Span {
        self.tree.get(key).list().get(at).map_or_else(|| self.at(key), |element| element.span)
    }

    /// Where the thing itself stands: its id, else its key.
    pub(super) fn place(self) -> Span {
        if self.tree.has("id") { self.tree.get("id").span } else { self.tree.key }
    }

    /// A thing inside it.
    pub(super) fn inside(self, tree: &'a Tree) -> Thing<'a> {
        Thing { tree, ..self }
    }
}

/// Takes findings.
#[derive(Debug, Default)]
pub(super) struct Told {
    found: RefCell<Vec<Diagnostic>>,
    /// The places of the reasons that answered a finding, by file.
    used: RefCell<BTreeSet<(String, Span)>>,
}

impl Told {
    /// A finding on a thing, at a place of its file. It counts when it goes out of scope.
    pub(super) fn tell<'a>(&'a self, code: &'static str, thing: Thing<'a>, span: Span, title: impl Into<String>) -> Telling<'a> {
        let label = Label { file: thing.file.name.clone(), span, text: String::new() };
        let severity = diagnostic::code(code).map_or(Severity::Error, |code| code.severity);
        let diagnostic = Diagnostic { code, severity, title: title.into(), labels: vec![label], help: None };
        Telling { told: self, things: vec![thing], about: Vec::new(), diagnostic: Some(diagnostic) }
    }

    /// A finding that no reason answers.
    pub(super) fn push(&self, diagnostic: Diagnostic) {
        self.found.borrow_mut().push(diagnostic);
    }

    /// Everything that was found, in the order of each file; with what is wrong with the reasons themselves.
    pub(super) fn finish(self, files: &[&File]) -> Vec<Diagnostic> {
        for (at, file) in files.iter().enumerate() {
            if !files[..at].iter().any(|other| std::ptr::eq(*other, *file)) {
                self.idle_reasons(file, &file.tree);
            }
        }
        let mut found = self.found.into_inner();
        found.sort_by(|a, b| place(a).cmp(&place(b)));
        found.dedup();
        found
    }

    /// Tells of reasons that answer nothing.
    fn idle_reasons(&self, file: &File, tree: &Tree) {
        for (key, inner) in tree.entries() {
            // What is called so in a table of names is a name like any other.
            if NAMED.contains(&key) {
                inner.entries().for_each(|(_, thing)| self.idle_reasons(file, thing));
                continue;
            }
            if key != "because" {
                self.idle_reasons(file, inner);
                continue;
            }
            for (code, reason) in inner.entries() {
                let thing = Thing { file, tree };
                if diagnostic::code(code).is_none() {
                    let near = diagnostic::nearest(code, CODES.iter().map(|code| code.code));
                    let telling = self.tell("unknown-code", thing, reason.key, format!("there is no finding `{code}`"));
                    near.map(|near| telling.help(format!("did you mean `{near}`?")));
                    continue;
                }
                let whys: Vec<&Tree> = match &reason.kind {
                    Kind::Table(whys) => whys.values().collect(),
                    _ => vec![reason],
                };
                for why in whys {
                    // One sentence cannot answer for every mutant; see `is_answered`.
                    if code == "mutant-survives" && reason.text().is_some() {
                        let telling = self.tell("reason-without-finding", thing, why.key, "one sentence cannot answer for every mutant");
                        telling.help("name the mutant, or the part of the formula that it lies in: `because = { mutant-survives = { \"P-1\" = \"…\" } }`");
                        continue;
                    }
                    if !self.used.borrow().contains(&(file.name.clone(), why.key)) {
                        self.tell("reason-without-finding", thing, why.key, format!("this answers no `{code}`"));
                    }
                }
            }
        }
        for element in tree.list() {
            self.idle_reasons(file, element);
        }
    }

    /// Whether a reason on the thing answers a finding.
    fn is_answered(&self, code: &str, about: &[String], thing: Thing) -> bool {
        let reason = thing.tree.get("because").get(code);
        let answer = match &reason.kind {
            // One sentence for all mutants would hide those that come with the next change of a formula.
            Kind::Text(_) if code != "mutant-survives" => Some(reason),
            Kind::Table(whys) => about.iter().find_map(|about| whys.get(about)),
            _ => None,
        };
        if let Some(why) = answer {
            self.used.borrow_mut().insert((thing.file.name.clone(), why.key));
        }
        answer.is_some()
    }
}

fn place(diagnostic: &Diagnostic) -> (&str, Span, &str, &str) {
    let first = diagnostic.labels.first();
    let (file, span) = first.map_or(("", Span::default()), |label| (label.file.as_str(), label.span));
    (file, span, diagnostic.code, &diagnostic.title)
}

/// A finding in the making.
pub(super) struct Telling<'a> {
    told: &'a Told,
    things: Vec<Thing<'a>>,
    about: Vec<String>,
    diagnostic: Option<Diagnostic>,
}

impl<'a> Telling<'a> {
    /// What the place is.
    pub(super) fn says(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.diagnostic.as_mut().and_then(|diagnostic| diagnostic.labels.first_mut()) {
            label.text = text.into();
        }
        self
    }

    /// Another place that explains it.
    pub(super) fn also(mut self, thing: Thing<'_>, span: Span, text: impl Into<String>) -> Self {
        let label = Label { file: thing.file.name.clone(), span, text: text.into() };
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.labels.push(label);
        }
        self
    }

    /// Another place that explains it, in a file that has no reasons.
    pub(super) fn also_at(mut self, label: Label) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.labels.push(label);
        }
        self
    }

    /// The simplest fix here, where it is another than that of all findings of the kind.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.help = Some(help.into());
        }
        self
    }

    /// What it is about, by a name that a reason may use; there may be several.
    pub(super) fn about(mut self, what: impl Into<String>) -> Self {
        self.about.push(what.into());
        self
    }

    /// Another thing whose reasons may answer it.
    pub(super) fn or(mut self, thing: Thing<'a>) -> Self {
        self.things.push(thing);
        self
    }
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        if let Some(diagnostic) = self.diagnostic.take() {
            let answered = self.things.iter().filter(|thing| self.told.is_answered(diagnostic.code, &self.about, **thing)).count();
            if answered == 0 {
                self.told.push(diagnostic);
            }
        }
    }
}
