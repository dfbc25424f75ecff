//! How fast answers are graded, as ratios to a fixed piece of work of the same machine: its own speed cancels out, so that
//! figures of different days and machines can be compared.
//!
//! `cargo bench --bench grading`. The answers are made from the shipped drill's own fixtures, a few put together so that each
//! has about the length of a real one.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use drillmark::answer::{Answer, Kind};
use drillmark::drill::{Drill, Library};
use drillmark::grade::Grader;
use drillmark::report::{Graded, Submission, json};

/// Times each figure is taken; the best is the least disturbed one.
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let texts = answers()?;
    let library = Library::built_in();
    let drill = load(&library)?;
    let grader = Grader::new(&drill);
    let bytes: usize = texts.iter().map(String::len).sum();
    let unit = best(unit_of_work);
    println!("the unit: a hash over 1 MB, {:.2} ms", millis(unit));
    let line = |what: &str, time: Duration, per: usize| {
        let each = time.as_secs_f64() / per as f64;
        println!("{what:44} {:9.3} ms {:9.2} units {:9.0} a second", each * 1e3, each / unit.as_secs_f64(), 1.0 / each);
    };
    println!("{} answers of {} bytes on average", texts.len(), bytes / texts.len());
    let cold = best(|| {
        let library = Library::built_in();
        let drill = load(&library).expect("loaded before");
        let answer = Answer::read("bench", &texts[0], Kind::Markdown);
        black_box(library.finder().candidates(&answer));
        black_box(Grader::new(&drill).grade(&answer));
    });
    line("cold: library, drill, first answer", cold, 1);
    let read = |text: &String| Answer::read("bench", black_box(text), Kind::Markdown);
    line("read", best(|| texts.iter().for_each(|text| drop(black_box(read(text))))), texts.len());
    let read: Vec<Answer> = texts.iter().map(read).collect();
    line("grade", best(|| read.iter().for_each(|answer| drop(black_box(grader.grade(answer))))), texts.len());
    let whole = best(|| {
        for text in &texts {
            let answer = Answer::read("bench", text, Kind::Markdown);
            let grade = grader.grade(&answer);
            let submission = Submission { id: "bench", file: "bench.md", sha256: "", arrival: None };
            let graded = Graded { submission, answer: &answer, drill: &drill, grade: &grade };
            black_box(json::line(&json::Report::new(&graded, false)));
        }
    });
    line("read, grade and write as JSON, on one core", whole, texts.len());
    Ok(())
}

fn load(library: &Library) -> Result<Drill, String> {
    library.load("communication-budget").map_err(|why| format!("{why:?}"))
}

/// Markdown fixtures of the shipped drill, joined until each answer has some 5 KB.
fn answers() -> Result<Vec<String>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/communication-budget");
    let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let mut texts = vec![String::new()];
    for path in paths {
        let text = fs::read_to_string(path)?;
        match texts.last_mut() {
            Some(last) if last.len() < 5000 => *last += &format!("\n\n{text}"),
            _ => texts.push(text),
        }
    }
    Ok(texts)
}

/// What any machine does in about the same number of steps.
fn unit_of_work() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in 0..1_000_000_u64 {
        hash = (hash ^ black_box(byte & 0xff)).wrapping_mul(0x0100_0000_01b3);
    }
    black_box(hash);
}

fn best(mut work: impl FnMut()) -> Duration {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..ROUNDS).map(|_| time(&mut work)).min().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
