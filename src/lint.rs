//! What authors are warned of: content that can be read and does not hold.
//!
//! | looked at | by |
//! |---|---|
//! | whether mistakes, readings and the answer can be told apart, and tolerances hide nothing | `values` |
//! | whether words tell the asks apart, say anything, and are not the question's own | `words` |
//! | points, rules and their samples | `points` |
//! | whether a formula with one thing wrong would be noticed | `mutants` |
//! | whether anything that students see gives an expected number away | `leaks` |
//! | answers of which it is known how they come out: the worked one, the model, an empty one, the fixtures | `solutions` |
//! | whether drawn variants hold | `variants` |
//!
//! Findings are [`Diagnostic`]s with codes of [`CODES`](crate::diagnostic::CODES). An author who wants a thing as it is says
//! so where it stands: `because = { CODE = "why" }`; a reason that answers nothing is a finding itself.

mod leaks;
mod mutants;
mod points;
mod sheet;
mod solutions;
mod stats;
mod subject;
mod told;
mod tree;
mod values;
mod variants;
mod words;

pub use stats::{Count, Stats, stats};
pub use subject::{Case, Subject, subjects, within};
pub use variants::{Variants, variant};

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::diagnostic::{self, Diagnostic, Label, Severity};
use crate::drill::{Ask, Criterion, Drill, Name, Origin, Part};
use crate::grade::Grader;
use crate::lint::leaks::Secrets;
use crate::lint::told::{File, Thing, Told};
use crate::lint::tree::Tree;
use crate::text::Span;

/// Checks drills, each on its own, on all cores: the findings of each, in the order given.
pub fn check_all(subjects: &[Subject], variants: u32) -> Vec<Vec<Diagnostic>> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(subjects.len());
    let next = AtomicUsize::new(0);
    let mut found: Vec<(usize, Vec<Diagnostic>)> = thread::scope(|scope| {
        let work = || {
            let mut mine = Vec::new();
            while let Some((at, subject)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, subjects.get(at)?))) {
                mine.push((at, check(subject, variants)));
            }
            mine
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a check does not panic")).collect()
    });
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, found)| found).collect()
}

/// Checks one drill with all that lies beside it: everything that is found, in the order of its files.
pub fn check(subject: &Subject, variants: u32) -> Vec<Diagnostic> {
    let (drill, rubric) = match (&subject.drill, &subject.rubric) {
        (Some(drill), Some(rubric)) => (drill, rubric),
        (Some(drill), None) => {
            let title = format!("`{}` has no rubric", subject.id);
            return vec![whole_file("drill-without-rubric", drill.name(), title)];
        }
        (None, Some(rubric)) => {
            let title = format!("there is no drill `{}`", subject.id);
            return vec![whole_file("rubric-without-drill", rubric.name(), title)];
        }
        (None, None) => return Vec::new(),
    };
    let loaded = match Drill::load(drill, rubric) {
        Ok(loaded) => loaded,
        Err(found) => return found,
    };
    let file = File { name: drill.name().to_owned(), tree: Tree::of(drill.text()) };
    let rubric = File { name: rubric.name().to_owned(), tree: Tree::of(rubric.text()) };
    let told = Told::default();
    let bench = Bench {
        drill: &loaded,
        grader: Grader::new(&loaded).without_choices(),
        file: &file,
        rubric: &rubric,
        told: &told,
        secrets: Secrets::of(&loaded),
    };
    values::check(&bench);
    words::check(&bench);
    points::check(&bench);
    mutants::check(&bench);
    leaks::check(&bench);
    solutions::check(&bench, subject);
    variants::check(&bench, subject.model.as_ref(), variants);
    told.finish(&[&file, &rubric])
}

/// A finding that has no place but the file.
fn whole_file(code: &'static str, file: &str, title: String) -> Diagnostic {
    let label = Label { file: file.to_owned(), span: Span::default(), text: String::new() };
    let severity = diagnostic::code(code).map_or(Severity::Error, |code| code.severity);
    Diagnostic { code, severity, title, labels: vec![label], help: None }
}

/// A drill under examination.
struct Bench<'a> {
    drill: &'a Drill,
    grader: Grader<'a>,
    file: &'a File,
    rubric: &'a File,
    told: &'a Told,
    secrets: Secrets,
}

/// Where the things of the drill stand.
impl<'a> Bench<'a> {
    /// The drill's file as a whole.
    fn root(&self) -> Thing<'a> {
        Thing { file: self.file, tree: &self.file.tree }
    }

    fn part(&self, part: &Part) -> Thing<'a> {
        let parts = self.file.tree.get("part");
        let own = parts.with_id(&part.id);
        let tree = match own.has("id") {
            true => own,
            false => parts.list().iter().map(|parent| parent.get("item").with_id(&part.id)).find(|item| item.has("id")).unwrap_or(own),
        };
        self.root().inside(tree)
    }

    fn ask(&self, ask: &Ask) -> Thing<'a> {
        let part = self.file.tree.get("part").with_id(&ask.part);
        let holder = ask.item.as_ref().map_or(part, |item| part.get("item").with_id(item));
        self.root().inside(holder.get("ask").with_id(&ask.id))
    }

    fn reading(&self, ask: &Ask, id: &str) -> Thing<'a> {
        let ask = self.ask(ask);
        ask.inside(ask.tree.get("reading").with_id(id))
    }

    fn mistake(&self, ask: &Ask, id: &str) -> Thing<'a> {
        let ask = self.ask(ask);
        ask.inside(ask.tree.get("mistake").with_id(id))
    }

    fn name(&self, name: &Name) -> Thing<'a> {
        let table = match name.origin {
            Origin::Given => "given",
            Origin::Assumed => "assume",
            Origin::Let => "let",
        };
        self.root().inside(self.file.tree.get(table).get(&name.name))
    }

    fn criterion(&self, criterion: &Criterion) -> Thing<'a> {
        Thing { file: self.rubric, tree: self.rubric.tree.get("criterion").with_id(&criterion.id) }
    }

    fn concept(&self, name: &str) -> Thing<'a> {
        Thing { file: self.rubric, tree: self.rubric.tree.get("concept").get(name) }
    }
}
