//! `drillmark bundle gradescope`: the zip that Gradescope makes an autograder of.

use std::io::{self, Write};
use std::path::PathBuf;

use drillmark::cohort::gradebook::Points;
use drillmark::report::inert;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use super::autograde::Terms;
use super::{Done, Shell, Trouble, warn, write_whole};

/// A larger file is not this program.
const LARGEST: u64 = 1_000_000_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// An autograder for Gradescope: this program, the drill and two scripts; it installs nothing and needs no network
    Gradescope(Gradescope),
}

#[derive(Debug, clap::Args)]
struct Gradescope {
    #[command(flatten)]
    terms: Terms,

    /// Where to write the zip
    #[arg(long, value_name = "FILE", default_value = "gradescope.zip")]
    out: PathBuf,

    /// The program for Gradescope's machines (Linux, x86-64), where the running one is for another
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let What::Gradescope(args) = args.what;
    // An author's mistake is told here, not on Gradescope's machines.
    let drill = shell.drill(&args.terms.drill)?;
    if !drill.id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) || drill.id.starts_with(['-', '.']) {
        return Err(Trouble::with(&drill.id, "goes into a script: letters, digits, `.`, `_` and `-` only"));
    }
    let library = shell.library()?;
    let (source, rubric) = library.sources(&args.terms.drill).ok_or_else(|| Trouble::with(&args.terms.drill, "is no longer there"))?;
    let rubric = rubric.ok_or_else(|| Trouble::with(&args.terms.drill, "has no rubric"))?;
    let path = match &args.binary {
        Some(path) => path.clone(),
        None => std::env::current_exe().map_err(|error| Trouble::with("this program", error))?,
    };
    let binary = shell.read(&path, LARGEST)?;
    if !is_for_gradescope(&binary) {
        warn(&format!("{}: is no program for Linux on x86-64, which Gradescope's machines run; name one with `--binary`", path.display()));
    }
    let files: [(&str, u32, &[u8]); 5] = [
        ("setup.sh", 0o755, &script(SETUP, &args.terms)),
        ("run_autograder", 0o755, &script(RUN, &args.terms)),
        ("drillmark", 0o755, &binary),
        (&format!("library/drills/{}.toml", args.terms.drill), 0o644, source.text().as_bytes()),
        (&format!("library/rubrics/{}.toml", args.terms.drill), 0o644, rubric.text().as_bytes()),
    ];
    write_whole(&args.out, &zip(&files).map_err(|error| Trouble::with(args.out.display(), error))?)?;
    let points = args.terms.points.unwrap_or(Points::of(drill.rubric.possible));
    writeln!(shell.out(), "{}: an autograder for {}, {points} points", inert::terminal(&args.out.display().to_string()), drill.id)?;
    Ok(Done::Fine)
}

/// Runs when the image is built. It installs nothing; that the program runs at all is seen here, not at the first submission.
const SETUP: &str = r#"#!/bin/sh
# drillmark stands on its own: nothing is installed, nothing is fetched.
SOURCE="${AUTOGRADER_SOURCE:-/autograder/source}"
chmod +x "$SOURCE/drillmark" "$SOURCE/run_autograder"
if ! "$SOURCE/drillmark" --library "$SOURCE/library" solve '{drill}'; then
    echo "drillmark does not run on this machine: make the bundle with a program that is built for it (--binary)." >&2
    exit 1
fi
"#;

/// Runs for every submission. No code of a student is run.
const RUN: &str = r#"#!/bin/sh
# Grades one submission. For a try at home: AUTOGRADER=some/folder AUTOGRADER_SOURCE=. ./run_autograder
AUTOGRADER="${AUTOGRADER:-/autograder}"
SOURCE="${AUTOGRADER_SOURCE:-$AUTOGRADER/source}"
RESULTS="$AUTOGRADER/results/results.json"
mkdir -p "$AUTOGRADER/results"

# Whatever happens from here on, there is a result: this one stays until drillmark puts a whole one in its place.
rm -f "$RESULTS.failed"
cat > "$RESULTS.failed" <<'JSON'
{
  "score": 0,
  "output": "This submission could not be graded. Nothing is decided by that; course staff will look at it.",
  "output_format": "text",
  "visibility": "{visibility}",
  "stdout_visibility": "hidden",
  "tests": [],
  "extra_data": {"drillmark": {"is_graded": false}}
}
JSON
mv -f "$RESULTS.failed" "$RESULTS"

[ -x "$SOURCE/drillmark" ] || chmod +x "$SOURCE/drillmark"
"$SOURCE/drillmark" --library "$SOURCE/library" --color never autograde {flags} \
    --submission "$AUTOGRADER/submission" --metadata "$AUTOGRADER/submission_metadata.json" --results "$RESULTS" \
    || echo "drillmark: exit code $?"
exit 0
"#;

/// A script with the drill and the flags filled in.
fn script(text: &str, terms: &Terms) -> Vec<u8> {
    text.replace("{drill}", &terms.drill).replace("{visibility}", &terms.visibility()).replace("{flags}", &terms.flags()).into_bytes()
}

/// Whether these are the first bytes of a program for Linux on x86-64.
fn is_for_gradescope(binary: &[u8]) -> bool {
    binary.starts_with(b"\x7fELF\x02") && binary.get(18..20) == Some(&[0x3e, 0])
}

/// A zip of these files, with no date in it: the same files give the same bytes.
fn zip(files: &[(&str, u32, &[u8])]) -> Result<Vec<u8>, io::Error> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, mode, content) in files {
        let (mut entry, config) = archive
            .new_file(*name)
            .compression_method(CompressionMethod::DEFLATE)
            .unix_permissions(*mode)
            .start()
            .map_err(io::Error::other)?;
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        writer.write_all(content)?;
        let (encoder, descriptor) = writer.finish().map_err(io::Error::other)?;
        encoder.finish()?;
        entry.finish(descriptor).map_err(io::Error::other)?;
    }
    archive.finish().map_err(io::Error::other)?;
    Ok(bytes)
}
