//! `drillmark regrade OLD NEW`: who would change, by how much, through what.

mod tell;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use drillmark::cohort::review::{Log, Rulings};
use drillmark::cohort::{self, Class, Options, Progress, Regrade, Rules, Run};
use drillmark::drill::{Drill, Library};
use drillmark::report::{Reader, diagnostics};
use drillmark::text::Source;

use super::{Done, Shell, Trouble};

/// How the changes are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a person at a terminal
    Terminal,
    /// For a pull request
    Markdown,
    /// One object
    Json,
    /// A row for each ask and criterion that turns out otherwise
    Csv,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
OLD and NEW are two rubrics, two drills, or two run folders. Rubrics and drills grade the answers of --answers. Nothing is written
unless --write says where.")]
pub(crate) struct Args {
    /// The rubric, drill or run as it was
    old: PathBuf,

    /// The rubric, drill or run as it would be
    new: PathBuf,

    /// Whose answers to grade by both: a class, as `drillmark grade --out` takes it
    #[arg(long, value_name = "CLASS")]
    answers: Option<PathBuf>,

    /// Keep what people have decided about these answers in this run
    #[arg(long, value_name = "RUN", requires = "answers")]
    decisions: Option<PathBuf>,

    /// How to print it
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,

    /// Show the old and the new feedback of so many submissions
    #[arg(long, value_name = "N", default_value = "10")]
    diffs: usize,

    /// Grade the answers by the new drill into this run folder
    #[arg(long, value_name = "RUN", requires = "answers")]
    write: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let regrade = match (Side::of(&args.old)?, Side::of(&args.new)?) {
        (Side::Run(old), Side::Run(new)) => {
            if args.answers.is_some() {
                return Err(Trouble::Operator("two runs are compared as they are; leave `--answers` out".to_owned()));
            }
            Regrade::of_runs(&old, &new).map_err(told)?
        }
        (Side::Run(_), _) | (_, Side::Run(_)) => {
            return Err(Trouble::Operator("a run can be compared with a run only".to_owned()));
        }
        (old, new) => {
            let Some(answers) = &args.answers else {
                return Err(Trouble::Operator("say whose answers to grade by both: `--answers CLASS`".to_owned()));
            };
            let (old, new) = (old.drill(shell)?, new.drill(shell)?);
            let class = Class::collect(answers, &Rules::default()).map_err(told)?;
            if class.submissions.is_empty() {
                return Err(Trouble::with(answers.display(), "holds no submissions"));
            }
            let decisions = match &args.decisions {
                Some(run) => Log::read(Run::open(run).map_err(told)?.folder()).map_err(told)?,
                None => Vec::new(),
            };
            let regrade = Regrade::of_class(&class, &old, &new, &Rulings::of(&decisions));
            if let Some(out) = &args.write {
                write(&class, new, out)?;
            }
            regrade
        }
    };
    tell::print(&regrade, args.format, args.diffs, shell)?;
    Ok(Done::Fine)
}

fn told(trouble: cohort::Trouble) -> Trouble {
    match trouble {
        cohort::Trouble::Io { path, error } => Trouble::io(&path, &error),
        other => Trouble::Operator(other.to_string()),
    }
}

/// Grades the class by the new drill, as `drillmark grade --out` would.
fn write(class: &Class, drill: Drill, out: &Path) -> Result<(), Trouble> {
    struct Silent;
    impl Progress for Silent {
        fn at(&self, _: usize, _: usize) {}
    }
    let options =
        Options { feedback: None, reader: Reader::Student, explain: false, deadline: None, kind: None, threads: None, salt: None };
    cohort::grade(class, &[drill], None, out, &options, &Silent, &AtomicBool::new(false)).map_err(told)?;
    Ok(())
}

/// One of the two that are compared.
enum Side {
    Run(Box<Run>),
    /// A rubric's file: its text, and the drill it is for.
    Rubric {
        path: PathBuf,
        text: String,
        drill: String,
    },
    /// A drill's file: its text, and its id.
    Drill {
        path: PathBuf,
        text: String,
        id: String,
    },
}

impl Side {
    /// Sees what a path means.
    fn of(path: &Path) -> Result<Side, Trouble> {
        if path.is_dir() {
            return Ok(Side::Run(Box::new(Run::open(path).map_err(told)?)));
        }
        let text = fs::read_to_string(path).map_err(|error| Trouble::io(path, &error))?;
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            Trouble::with(path.display(), format_args!("is no TOML: {}", error.message().lines().next().unwrap_or_default()))
        })?;
        let word = |key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let path = path.to_owned();
        match (word("drill"), word("id")) {
            (Some(drill), _) => Ok(Side::Rubric { path, text, drill }),
            (None, Some(id)) if table.contains_key("part") => Ok(Side::Drill { path, text, id }),
            _ => Err(Trouble::with(path.display(), "is neither a drill nor a rubric")),
        }
    }

    /// The drill with its rubric, of which one is the file and the other is found beside it or in the library.
    fn drill(&self, shell: &Shell) -> Result<Drill, Trouble> {
        let library = shell.library()?;
        let (drill, rubric) = match self {
            Side::Run(_) => return Err(Trouble::Operator("a run holds no drill".to_owned())),
            Side::Rubric { path, text, drill } => {
                let found = beside(path, "drills", drill, "").or_else(|| library.sources(drill).map(|(drill, _)| drill));
                let found = found.ok_or_else(|| missing(path, "drill", drill, &library))?;
                (found, source(path, drill, text))
            }
            Side::Drill { path, text, id } => {
                let found = beside(path, "rubrics", id, ".rubric").or_else(|| library.sources(id).and_then(|(_, rubric)| rubric));
                let found = found.ok_or_else(|| missing(path, "rubric", id, &library))?;
                (source(path, id, text), found)
            }
        };
        Drill::load(&drill, &rubric).map_err(|found| Trouble::Broken {
            drawn: diagnostics::render(&found, &[&drill, &rubric]),
            summary: diagnostics::summary(&found),
        })
    }
}

/// A file as if it had the name that its id asks for: two versions of one drill cannot both have it.
fn source(path: &Path, id: &str, text: &str) -> Source {
    let is_named_so = path.file_stem().is_some_and(|stem| stem.to_string_lossy().trim_end_matches(".rubric") == id);
    let name = if is_named_so { path.display().to_string() } else { format!("{}/{id}.toml", path.display()) };
    Source::new(name, text)
}

/// The other half of a drill, in the folder where it belongs.
fn beside(path: &Path, folder: &str, id: &str, flat: &str) -> Option<Source> {
    let here = path.parent()?;
    let name = format!("{id}.toml");
    let candidates = [here.join("..").join(folder).join(&name), here.join(folder).join(&name), here.join(format!("{id}{flat}.toml"))];
    let found = candidates.into_iter().find(|candidate| candidate != path && candidate.is_file())?;
    let text = fs::read_to_string(&found).ok()?;
    Some(Source::new(found.display().to_string(), text))
}

fn missing(path: &Path, what: &str, id: &str, library: &Library) -> Trouble {
    let known = library.ids().any(|known| known == id);
    let why = if known { "is not in the library" } else { "is neither beside it nor in the library; name one with `--library DIR`" };
    Trouble::with(path.display(), format_args!("its {what} `{id}` {why}"))
}
