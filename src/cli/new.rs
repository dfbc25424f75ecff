//! `drillmark new`: what an author starts from, and what students fill in.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use drillmark::answer::{Answer, Kind};
use drillmark::drill::{Drill, Model};
use drillmark::fixture::{self, snapshot};
use drillmark::grade;
use drillmark::report::inert;
use drillmark::text::Source;

use super::{Done, Shell, Trouble, schema, variant, write_whole};

const DRILL: &str = include_str!("new/drill.toml");
const RUBRIC: &str = include_str!("new/rubric.toml");
const ANSWER: &str = include_str!("new/answer.md");
const EXPECT: &str = include_str!("new/expect.toml");

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Write a small drill with its rubric, model answer and first fixture, to be changed into your own
    Drill(NewDrill),
    /// Write the empty answer that students fill in
    Answer(NewAnswer),
}

#[derive(Debug, clap::Args)]
struct NewDrill {
    /// Its id, which names its files: small letters, digits and hyphens
    name: String,

    /// The course: a folder with `drills/` and `rubrics/`, or one that will get them
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

#[derive(Debug, clap::Args)]
struct NewAnswer {
    /// The drill, as `drillmark list` names it
    drill: String,

    /// The format to write it in
    #[arg(long, value_enum, default_value = "md")]
    format: Format,

    /// Write it into this file, which must not exist yet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    variant: variant::Args,
}

/// The formats of answer templates, by their endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Markdown
    Md,
    /// LaTeX
    Tex,
    /// Typst
    Typ,
    /// Jupyter notebook
    Ipynb,
    /// Keys and values
    Toml,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    match args.what {
        What::Drill(args) => drill(&args, shell),
        What::Answer(args) => answer(&args, shell),
    }
}

fn answer(args: &NewAnswer, shell: &mut Shell) -> Result<Done, Trouble> {
    let kind = match args.format {
        Format::Md => Kind::Markdown,
        Format::Tex => Kind::Latex,
        Format::Typ => Kind::Typst,
        Format::Ipynb => Kind::Notebook,
        Format::Toml => Kind::Toml,
    };
    let text = args.variant.of(shell.drill(&args.drill)?, shell)?.template(kind);
    match &args.out {
        Some(path) => {
            refuse_existing(path)?;
            write_whole(path, text.as_bytes())?;
        }
        None => write!(shell.json()?, "{text}")?,
    }
    Ok(Done::Fine)
}

fn drill(args: &NewDrill, shell: &mut Shell) -> Result<Done, Trouble> {
    let id = args.name.as_str();
    let is_fine = id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_fine {
        return Err(Trouble::with(id, "an id is small letters, digits and hyphens, and begins with a letter: `free-fall`"));
    }
    let mut files = files(id, &args.dir)?;
    for (path, _) in &files {
        refuse_existing(path)?;
    }
    // What editors check by, once for all drills of the course.
    for (name, schema) in [("drill", schema::DRILL), ("rubric", schema::RUBRIC), ("expect", schema::EXPECT)] {
        let path = args.dir.join("schemas").join(format!("{name}.schema.json"));
        if !path.exists() {
            files.push((path, schema.to_owned()));
        }
    }
    let mut written: Vec<&Path> = Vec::new();
    for (path, text) in &files {
        let done = make_folder(path).and_then(|()| write_whole(path, text.as_bytes()));
        if let Err(trouble) = done {
            // Half a drill is none: what was written a moment ago is ours to take back.
            for path in written {
                let _ = fs::remove_file(path);
            }
            return Err(trouble);
        }
        written.push(path);
    }
    let out = shell.out();
    for (path, _) in &files {
        writeln!(out, "{}", inert::terminal(&path.display().to_string()))?;
    }
    writeln!(
        out,
        "\nIts example is sound and tested; now make it yours: drillmark test {}",
        inert::terminal(&args.dir.display().to_string())
    )?;
    Ok(Done::Fine)
}

/// Every file of a new drill with its text, in the layout that the course has.
fn files(id: &str, course: &Path) -> Result<Vec<(PathBuf, String)>, Trouble> {
    let mut title = id.replace('-', " ");
    title[..1].make_ascii_uppercase();
    let flat = is_flat(course);
    let schemas = if flat { "schemas/" } else { "../schemas/" };
    let own = |text: &str| text.replace("TITLE", &title).replace("ID", id).replace("SCHEMAS/", schemas);
    let (drill_text, rubric_text, answer_text) = (own(DRILL), own(RUBRIC), own(ANSWER));
    let (drill, rubric, answer) = if flat {
        (course.join(format!("{id}.toml")), course.join(format!("{id}.rubric.toml")), course.join(format!("{id}.answer.md")))
    } else {
        let (drills, rubrics) = (course.join("drills"), course.join("rubrics"));
        (drills.join(format!("{id}.toml")), rubrics.join(format!("{id}.toml")), drills.join(format!("{id}.answer.md")))
    };
    let loaded =
        Drill::load(&Source::new(format!("{id}.toml"), drill_text.as_str()), &Source::new(format!("{id}.toml"), rubric_text.as_str()))
            .expect("the example drill is sound");
    let model = Model::read(&loaded, &Source::new("answer.md", answer_text.as_str())).expect("its model answer is sound");
    let handed = model.filled(&loaded);
    let read = Answer::read("model.md", handed.as_str(), Kind::Markdown);
    let feedback = fixture::feedback("model", "model.md", &loaded, &read, &grade::grade(&loaded, &read));
    let fixtures = course.join("fixtures").join(id);
    Ok(vec![
        (drill, drill_text),
        (rubric, rubric_text),
        (answer, answer_text),
        (fixtures.join("model.md"), handed),
        (fixtures.join("model.expect.toml"), own(EXPECT)),
        (fixtures.join("model.snap"), snapshot::written(None, "model.md", &feedback)),
    ])
}

/// Whether a course keeps drills and rubrics side by side.
fn is_flat(course: &Path) -> bool {
    let entries = fs::read_dir(course).into_iter().flatten().flatten();
    !course.join("drills").is_dir() && entries.into_iter().any(|entry| entry.file_name().to_string_lossy().ends_with(".rubric.toml"))
}

fn make_folder(path: &Path) -> Result<(), Trouble> {
    let Some(folder) = path.parent() else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|error| Trouble::io(folder, &error))
}

fn refuse_existing(path: &Path) -> Result<(), Trouble> {
    if path.symlink_metadata().is_ok() {
        return Err(Trouble::with(path.display(), "is there already, and nothing is overwritten"));
    }
    Ok(())
}
