//! What every subcommand needs of the outside: where to write, what to read, and what to say when it cannot.

use std::fmt::{self, Display};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::AutoStream;
use clap::ColorChoice;
use drillmark::drill::{Drill, Library, Unloadable};
use drillmark::report::{diagnostics, inert};
use drillmark::text::Source;

/// The exit code of a job that could not be done.
pub(crate) const COULD_NOT: u8 = 2;

/// So many bytes of a file or of standard input are read at a time, where they are there.
const AT_A_TIME: usize = 1 << 17;

/// How a job ended that could be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// As it should; a low mark is not a failure.
    Fine,
    /// `lint` or `test` found problems, or a mark stayed below what was asked for.
    Problems,
    /// Some of it could not be done, and it was said what; the rest was.
    Incomplete,
}

impl Done {
    /// The exit code that says so.
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Done::Fine => ExitCode::SUCCESS,
            Done::Problems => ExitCode::from(1),
            Done::Incomplete => ExitCode::from(COULD_NOT),
        }
    }
}

/// Why a job could not be done.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Something the operator has to change: one line, without `drillmark:` and without a full stop.
    Operator(String),
    /// A drill or a rubric that its author has to repair: everything that is wrong, drawn, and a summary line.
    Broken {
        /// Every finding with its lines.
        drawn: String,
        /// One line, as of an operator's trouble.
        summary: String,
    },
    /// Whoever reads our output has stopped reading: not a failure.
    ClosedPipe,
}

impl Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Operator(line) | Trouble::Broken { summary: line, .. } => f.write_str(line),
            Trouble::ClosedPipe => f.write_str("nobody reads the output"),
        }
    }
}

impl Trouble {
    /// Trouble with a named thing: `notes.md: no such file`.
    pub(crate) fn with(name: impl Display, what: impl Display) -> Trouble {
        Trouble::Operator(format!("{name}: {what}"))
    }

    /// Trouble with reading or writing a file.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Trouble {
        let what = match error.kind() {
            ErrorKind::NotFound => "no such file or folder".to_owned(),
            ErrorKind::PermissionDenied => "permission denied".to_owned(),
            ErrorKind::IsADirectory => "is a folder, not a file".to_owned(),
            _ => error.to_string(),
        };
        Trouble::with(path.display(), what)
    }
}

/// Writing to standard output failed.
impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        match error.kind() {
            ErrorKind::BrokenPipe => Trouble::ClosedPipe,
            _ => Trouble::Operator(format!("cannot write the output: {error}")),
        }
    }
}

/// Says what went wrong, on standard error, and gives the exit code.
pub(crate) fn tell(trouble: &Trouble) -> ExitCode {
    match trouble {
        Trouble::ClosedPipe => ExitCode::SUCCESS,
        Trouble::Operator(line) => {
            warn(line);
            ExitCode::from(COULD_NOT)
        }
        Trouble::Broken { drawn, summary } => {
            let _ = writeln!(anstream::stderr(), "{drawn}\n\ndrillmark: {summary}");
            ExitCode::from(COULD_NOT)
        }
    }
}

/// Writes a file whole or not at all: to a temporary name beside it, then renamed. A link is not written through, and
/// not replaced either: whoever made it meant something else.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    let mut name = path.file_name().ok_or_else(|| Trouble::with(path.display(), "is not the name of a file"))?.to_owned();
    refuse_link(path)?;
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    // What already lies under the temporary name is nobody's, or a trap.
    let file = match fs::remove_file(&part) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => OpenOptions::new().write(true).create_new(true).open(&part),
    };
    let written = file.and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        // What is left of a failed attempt is of no use to anybody, and the first error is the one to tell.
        let _ = fs::remove_file(&part);
        Trouble::io(path, &error)
    })
}

/// Refuses a path that is a link.
pub(crate) fn refuse_link(path: &Path) -> Result<(), Trouble> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(Trouble::with(path.display(), "is a link, and nothing is written through links")),
        _ => Ok(()),
    }
}

/// A line on standard error; the work goes on. File names in it may hold anything.
pub(crate) fn warn(line: &str) {
    // With standard error closed as well there is nobody left to tell.
    let _ = writeln!(anstream::stderr(), "drillmark: {}", inert::terminal(line));
}

/// A mistake of ours is told as inertly as everything else: its message may quote an answer.
pub(crate) fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        warn(&format!(
            "this is a mistake of the program, please report it{place}: {}",
            panic.payload_as_str().unwrap_or("no reason was given")
        ));
    }));
}

/// A drill of a library, with its rubric.
pub(crate) fn load(library: &Library, id: &str) -> Result<Drill, Trouble> {
    library.load(id).map_err(|why| unloadable(library, id, why))
}

/// The same for grading alone, which is quicker.
pub(crate) fn load_to_grade(library: &Library, id: &str) -> Result<Drill, Trouble> {
    library.load_to_grade(id).map_err(|why| unloadable(library, id, why))
}

fn unloadable(library: &Library, id: &str, why: Unloadable) -> Trouble {
    match why {
        Unloadable::Unknown { near: Some(near) } => Trouble::Operator(format!("there is no drill `{id}`; did you mean `{near}`?")),
        Unloadable::Unknown { near: None } => {
            Trouble::Operator(format!("there is no drill `{id}`; `drillmark list` shows those there are"))
        }
        Unloadable::NoRubric => Trouble::Operator(format!("the drill `{id}` has no rubric: `rubrics/{id}.toml` is missing")),
        Unloadable::Broken(found) => {
            let sources: Vec<Source> =
                library.sources(id).into_iter().flat_map(|(drill, rubric)| [Some(drill), rubric]).flatten().collect();
            let sources: Vec<&Source> = sources.iter().collect();
            Trouble::Broken { drawn: diagnostics::render(&found, &sources), summary: diagnostics::summary(&found) }
        }
    }
}

/// The flags that go with every command, and standard output.
pub(crate) struct Shell {
    library: Option<PathBuf>,
    out: BufWriter<AutoStream<StdoutLock<'static>>>,
}

impl Shell {
    /// Takes over the global flags. Color goes to a terminal only, `NO_COLOR` forbids it, `--color` overrules both.
    pub(crate) fn new(library: Option<PathBuf>, color: ColorChoice) -> Shell {
        match color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Shell { library, out: BufWriter::new(AutoStream::auto(io::stdout().lock())) }
    }

    /// Where output goes. Write styled text freely: escape codes are taken out where they do not belong.
    pub(crate) fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Whether color may be written to the terminal.
    pub(crate) fn color(&self) -> bool {
        self.out.get_ref().current_choice() != anstream::ColorChoice::Never
    }

    /// Where JSON goes: it holds no escape codes, so nothing has to look for any, which costs as much as writing it.
    pub(crate) fn json(&mut self) -> Result<impl Write + use<>, Trouble> {
        self.out.flush()?;
        Ok(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    /// The drills of `--library DIR`, or those that are built in.
    pub(crate) fn library(&self) -> Result<Library, Trouble> {
        match &self.library {
            Some(folder) => Library::open(folder).map_err(|trouble| Trouble::io(&trouble.path, &trouble.error)),
            None => Ok(Library::built_in()),
        }
    }

    /// The drills of `--library DIR`, or those that a course has itself, or those that are built in.
    pub(crate) fn library_of(&self, course: &Path) -> Result<Library, Trouble> {
        if self.library.is_none() && course.join("drills").is_dir() {
            return Library::open(course).map_err(|trouble| Trouble::io(&trouble.path, &trouble.error));
        }
        self.library()
    }

    /// A drill of the library, with its rubric.
    pub(crate) fn drill(&self, id: &str) -> Result<Drill, Trouble> {
        load(&self.library()?, id)
    }

    /// The bytes of a file, or of standard input for `-`, up to `limit` of them; a larger file is trouble.
    pub(crate) fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Trouble> {
        let mut bytes = Vec::new();
        let told = |error: io::Error| Trouble::io(path, &error);
        if path == Path::new("-") {
            io::stdin().lock().take(limit + 1).read_to_end(&mut bytes).map_err(told)?;
        } else {
            let file = File::open(path).map_err(told)?;
            if file.metadata().map_err(told)?.is_dir() {
                return Err(Trouble::with(path.display(), "is a folder, not a file"));
            }
            file.take(limit + 1).read_to_end(&mut bytes).map_err(told)?;
        }
        if bytes.len() as u64 > limit {
            return Err(Trouble::with(path.display(), format_args!("is larger than {} MB", limit / 1_000_000)));
        }
        Ok(bytes)
    }

    /// A file, or standard input for `-`, to be read piece by piece.
    pub(crate) fn open(&self, path: &Path) -> Result<BufReader<Box<dyn Read + Send>>, Trouble> {
        let from: Box<dyn Read + Send> = match path == Path::new("-") {
            true => Box::new(io::stdin()),
            false => Box::new(File::open(path).map_err(|error| Trouble::io(path, &error))?),
        };
        Ok(BufReader::with_capacity(AT_A_TIME, from))
    }

    /// Writes out what is still held back.
    pub(crate) fn finish(&mut self) -> Result<(), Trouble> {
        Ok(self.out.flush()?)
    }
}
