//! From a class to decisions and back to its grades: what a person says stays said.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::*;
use crate::cohort::{self, Class, Feedback, Options, Progress, Row, Rules, Run, Summary};
use crate::drill::{Drill, Library, Outcome};
use crate::report::Reader;
use crate::text::Source;

struct Silent;

impl Progress for Silent {
    fn at(&self, _done: usize, _of: usize) {}
}

/// A class of four, two of whom say the same under (d), and room for a run.
fn class(name: &str) -> (PathBuf, PathBuf) {
    let root = std::env::temp_dir().join(format!("drillmark-review-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    let folder = root.join("class");
    fs::create_dir_all(&folder).expect("the system has a folder for such files");
    write(&folder, "s1", "Long or short, the traffic is what one has to look at.");
    write(&folder, "s2", "Long  or SHORT, the traffic\nis what one has to look at.");
    write(&folder, "s3", "Hard to say: one may argue for either side of this, I suppose.");
    write(&folder, "s4", "It is long, the backward pass, I would say, and that matters.");
    (folder, root.join("run"))
}

fn write(folder: &Path, id: &str, words: &str) {
    let text = format!("## (a)\n\nS = 2.6 GB\n\n## (b)\n\nlatency 1.24 ms or 1.28 ms\n\n## (d)\n\n{words}\n");
    fs::write(folder.join(format!("{id}.md")), text).expect("it is writable");
}

fn drill() -> Drill {
    Library::built_in().load("communication-budget").expect("the built-in drill is whole")
}

/// The drill with a rubric that says something else.
fn drill_with(from: &str, to: &str) -> Drill {
    let (drill, rubric) = Library::built_in().sources("communication-budget").expect("it is built in");
    let rubric = rubric.expect("it has a rubric");
    assert!(rubric.text().contains(from), "`{from}` is not there to be replaced");
    Drill::load(&drill, &Source::new(rubric.name(), rubric.text().replacen(from, to, 1))).expect("it is still a rubric")
}

fn grade(folder: &Path, out: &Path, drill: &Drill) -> Summary {
    let options = Options {
        feedback: Some(Feedback::Markdown),
        reader: Reader::Student,
        explain: false,
        deadline: None,
        kind: None,
        threads: NonZero::new(1),
        salt: None,
    };
    let class = Class::collect(folder, &Rules::default()).expect("the class can be collected");
    cohort::grade(&class, std::slice::from_ref(drill), None, out, &options, &Silent, &AtomicBool::new(false)).expect("it runs")
}

/// Decides the case of this id in which `submission` is, through a desk and the log on the disk.
fn decide(out: &Path, by: &str, id: &str, submission: &str, choice: Choice, comment: Option<&str>) {
    let marking = Marking::open(out).expect("a finished run");
    let cases = pending(out, &marking).expect("a finished run");
    let mut log = Log::open(out, by).expect("nobody else decides");
    let mut desk = Desk::new(marking, Mode::Review, by, cases, log.entries());
    while desk.cases().first().map(Case::key) != desk.case().map(Case::key) {
        desk.step(false);
    }
    let is_it = |case: &Case| case.id == id && case.members.iter().any(|member| member.submission == submission);
    let steps = desk.cases().iter().position(is_it).expect("it waits");
    for _ in 0..steps {
        desk.step(true);
    }
    let act = desk.decide(choice, comment, 9).expect("a choice");
    log.append("2026-09-02T23:59:00Z".to_owned(), by, act).expect("it is writable");
}

fn rows(out: &Path) -> Vec<Row> {
    Run::open(out).and_then(|run| run.grades()).expect("a finished run").collect::<Result<_, _>>().expect("rows")
}

/// Outcome, points and who decided, of a criterion in each row.
fn told(out: &Path, id: &str) -> Vec<String> {
    let row = |row: &Row| {
        let score = row.score.expect("graded");
        assert!(score.awarded + score.pending <= score.possible + 1e-6);
        let criterion = row.criteria.iter().find(|criterion| criterion.id == id).expect("it is weighed");
        format!("{}: {} {} {}", row.submission.id, criterion.outcome, criterion.points, criterion.by.as_deref().unwrap_or("-"))
    };
    rows(out).iter().map(row).collect()
}

#[test]
fn one_word_counts_for_all_who_say_the_same() {
    let (folder, out) = class("same");
    grade(&folder, &out, &drill());
    let before = rows(&out);
    assert!(before[0].review.iter().any(|item| item.id == "d.overlap"));
    decide(&out, "ada", "d.overlap", "s1", Choice::Outcome(Outcome::Met), Some("Say more."));
    assert_eq!(told(&out, "d.overlap")[..2], ["s1: met 4 ada", "s2: met 4 ada"]);
    let after = rows(&out);
    for at in [0, 1] {
        let (before, after) = (before[at].score.expect("graded"), after[at].score.expect("graded"));
        assert_eq!((after.awarded, after.pending, after.possible), (before.awarded + 4.0, before.pending - 4.0, before.possible));
    }
    assert!(after[0].review.iter().all(|item| item.id != "d.overlap"));
    let raw: Vec<Row> = Run::open(&out).and_then(|run| run.raw_grades()).expect("a run").collect::<Result<_, _>>().expect("rows");
    assert_eq!(raw[0].score, before[0].score, "what the rules found is still there");
    // The case is gone from the desk of whoever sits down next.
    let marking = Marking::open(&out).expect("a run");
    let cases = pending(&out, &marking).expect("a run");
    assert_eq!(cases.iter().filter(|case| case.id == "d.overlap").count(), 3, "four answers, two of them the same");
    let desk = Desk::new(marking, Mode::Review, "bo", cases, &Log::read(&out).expect("whole"));
    assert_eq!(desk.progress().decided, 1);
}

#[test]
fn a_value_that_is_meant_is_judged_as_if_it_stood_alone() {
    let (folder, out) = class("value");
    grade(&folder, &out, &drill());
    let latency = |row: &Row| {
        let quantity = row.quantities.iter().find(|quantity| quantity.id == "b.latency").expect("it is asked");
        (quantity.verdict.clone(), quantity.points, quantity.decided_by.clone())
    };
    assert_eq!(latency(&rows(&out)[2]).0, "unclear");
    // All four have the same words under (b) and the same values.
    decide(&out, "ada", "b.latency", "s3", Choice::Candidate(0), None);
    assert_eq!(rows(&out).iter().map(latency).collect::<Vec<_>>(), vec![("correct".to_owned(), 1.0, Some("ada".to_owned())); 4]);
    decide(&out, "bo", "b.latency", "s3", Choice::Candidate(1), None);
    assert_eq!(latency(&rows(&out)[0]), ("slip".to_owned(), 0.0, Some("bo".to_owned())), "the last word counts");
}

#[test]
fn gradebook_and_feedback_say_what_was_decided() {
    let (folder, out) = class("apply");
    let drill = drill();
    grade(&folder, &out, &drill);
    let read = |name: &str| fs::read_to_string(out.join(name)).expect("it is there");
    let before = (read("gradebook.csv"), read("feedback/s1.md"), read("feedback/s3.md"));
    decide(&out, "ada", "d.overlap", "s1", Choice::Outcome(Outcome::NotMet), Some("What could it *hide* behind?"));
    let run = Run::open(&out).expect("a run");
    let applied = cohort::apply(&run, std::slice::from_ref(&drill), None).expect("it is written");
    assert_eq!((applied.decided, applied.feedback, applied.left.len()), (2, 2, 0), "{applied:?}");
    assert!(read("feedback/s1.md").contains("A grader writes: `What could it *hide* behind?`"), "{}", read("feedback/s1.md"));
    assert_eq!(read("feedback/s3.md"), before.2);
    assert_ne!(read("gradebook.csv"), before.0);
    // Taken back, everything is as it was.
    let mut log = Log::open(&out, "ada").expect("nobody else decides");
    log.append(String::new(), "ada", Act::Undo { of: 1 }).expect("it is writable");
    drop(log);
    cohort::apply(&run, std::slice::from_ref(&drill), None).expect("it is written");
    assert_eq!((read("gradebook.csv"), read("feedback/s1.md")), (before.0, before.1));
}

#[test]
fn grading_again_keeps_a_persons_word_and_tells_what_it_reopened() {
    let (folder, out) = class("again");
    grade(&folder, &out, &drill());
    decide(&out, "ada", "d.overlap", "s1", Choice::Outcome(Outcome::Met), None);
    decide(&out, "ada", "d.overlap", "s3", Choice::Outcome(Outcome::Partly), None);
    // Rules and points may change: the words and what the criterion says are the same.
    let other = drill_with("id = \"d.overlap\"\n", "id = \"d.overlap\"\npartly_share = 0.25\n");
    let summary = grade(&folder, &out, &other);
    assert_eq!((summary.reopened.len(), summary.reused), (0, 0), "{:?}", summary.reopened);
    assert_eq!(told(&out, "d.overlap")[..3], ["s1: met 4 ada", "s2: met 4 ada", "s3: partly 1 ada"], "her word, counted anew");
    assert!(fs::read_to_string(out.join("gradebook.csv")).expect("it is there").lines().nth(3).is_some_and(|row| row.contains(",1,")));
    // The student writes something else: what was decided is open again, and it is told.
    write(&folder, "s3", "One would have to measure it before one says anything at all here.");
    let summary = grade(&folder, &out, &other);
    let reopened: Vec<String> =
        summary.reopened.iter().map(|one| format!("{} {} {}: {}", one.submission, one.id, one.outcome, one.why)).collect();
    assert_eq!(reopened, ["s3 d.overlap partly: what the student wrote has changed"]);
    assert_eq!(told(&out, "d.overlap")[..2], ["s1: met 4 ada", "s2: met 4 ada"]);
    // The criterion says something else: everything about it is open again.
    let asks_more = drill_with("Argues from whether the traffic can hide", "Argues at length from whether the traffic can hide");
    let summary = grade(&folder, &out, &asks_more);
    let reopened: Vec<String> = summary.reopened.iter().map(|one| format!("{}: {}", one.submission, one.why)).collect();
    assert_eq!(reopened, ["s1: the rubric has changed", "s3: the rubric has changed"]);
}

#[test]
fn a_second_opinion_finds_its_sample_and_its_texts() {
    let (folder, out) = class("second");
    let drill = drill();
    grade(&folder, &out, &drill);
    for id in ["s1", "s3", "s4"] {
        decide(&out, "ada", "d.overlap", id, Choice::Outcome(Outcome::NotMet), None);
    }
    let (run, marking) = (Run::open(&out).expect("a run"), Marking::open(&out).expect("a run"));
    let entries = Log::read(&out).expect("whole");
    let drills = std::slice::from_ref(&drill);
    let all = second(&run, &marking, drills, None, &entries, 1.0).expect("a run");
    assert!(all.1.is_empty(), "{:?}", all.1);
    let of_people = all.0.iter().filter(|case| case.rule.is_none()).count();
    assert_eq!(of_people, 3);
    assert!(all.0.len() > of_people, "and what the rules decided");
    let some = second(&run, &marking, drills, None, &entries, 0.1).expect("a run").0;
    let again = second(&run, &marking, drills, None, &entries, 0.1).expect("a run").0;
    let keys = |cases: &[Case]| cases.iter().map(Case::key).collect::<Vec<_>>();
    assert_eq!(keys(&some), keys(&again));
    assert!(some.iter().filter(|case| case.rule.is_none()).count() == 1 && some.len() < all.0.len());
    let gone = second(&run, &marking, drills, Some(Path::new("no-such-class")), &entries, 1.0).expect("a run");
    assert_eq!((gone.0.len(), gone.1.len()), (3, 1), "what waited keeps its text beside the run");
}

#[test]
fn what_hangs_on_a_persons_word_follows_it() {
    let (folder, out) = class("hangs");
    // The position counts only where the argument is met, and sloppiness costs two points.
    let drill = drill_with(
        "[[criterion]]\nid = \"d.position\"\n",
        "[[criterion]]\nid = \"d.sloppy\"\npart = \"d\"\ndeduct = 2\nkind = \"hand\"\nsays = \"no units\"\n\n[[criterion]]\nid = \"d.position\"\nonly_if = \"d.overlap is met\"\n",
    );
    grade(&folder, &out, &drill);
    let points = |at: usize| {
        let row = &rows(&out)[at];
        let score = row.score.expect("graded");
        let (mut awarded, mut possible) = (0.0, 0.0);
        for quantity in &row.quantities {
            (awarded, possible) = (awarded + quantity.points, possible + quantity.possible);
        }
        for criterion in &row.criteria {
            (awarded, possible) = (awarded + criterion.points, possible + criterion.possible);
        }
        assert!((awarded - score.awarded).abs() < 1e-6 && (possible - score.possible).abs() < 1e-6, "{score:?}");
        assert!(score.awarded > -1e-9 && score.pending > -1e-9 && score.awarded + score.pending < score.possible + 1e-6, "{score:?}");
        (score.awarded, score.pending)
    };
    let waits = |at: usize, id: &str| rows(&out)[at].review.iter().any(|item| item.id == id);
    let before = points(0);
    assert!(waits(0, "d.sloppy") && waits(0, "d.position"));
    decide(&out, "ada", "d.sloppy", "s1", Choice::Outcome(Outcome::NotMet), None);
    assert_eq!(points(0), (before.0 + 2.0, before.1 - 2.0), "what might be taken away was not earned yet");
    decide(&out, "ada", "d.sloppy", "s1", Choice::Outcome(Outcome::Met), None);
    assert_eq!(points(0), (before.0, before.1 - 2.0));
    decide(&out, "ada", "d.overlap", "s1", Choice::Outcome(Outcome::Partly), None);
    assert_eq!(points(0), (before.0 + 2.0, before.1 - 2.0 - 4.0 - 1.0), "nothing is left of the position to wait for");
    assert!(!waits(0, "d.position"));
    // It leaves the desk of those who are graded by it, and comes back when the word is another.
    let on_desk = || {
        let cases = open(&Run::open(&out).expect("a run"), &Marking::open(&out).expect("a run")).expect("a run");
        cases.iter().any(|case| case.id == "d.position" && case.members[0].submission == "s1")
    };
    assert!(!on_desk());
    decide(&out, "ada", "d.overlap", "s1", Choice::Outcome(Outcome::Met), None);
    assert!(on_desk() && waits(0, "d.position"));
}

#[test]
fn where_nothing_was_found_a_person_looks_before_it_is_a_zero() {
    let (folder, out) = class("nothing");
    fs::write(folder.join("s0.md"), "I had no time this week, sorry. I will hand it in later.").expect("it is writable");
    let drill = drill();
    let summary = grade(&folder, &out, &drill);
    assert_eq!(summary.totals.nothing_found, 1);
    let row = |at: usize| rows(&out).swap_remove(at);
    let first = row(0);
    assert_eq!(
        first.review.iter().filter(|item| item.kind == "answer").map(|item| item.why.as_str()).collect::<Vec<_>>(),
        ["nothing-found"]
    );
    let values: f64 = first.quantities.iter().map(|quantity| quantity.possible).sum();
    assert!(first.score.expect("graded").pending >= values && values > 10.0, "{:?}", first.score);
    let book = fs::read_to_string(out.join("gradebook.csv")).expect("it is there");
    let line = book.lines().nth(1).expect("a row");
    assert!(line.contains("nothing that is asked was found in it,,,,"), "blank, not 0: {line}");
    // It lies first on the desk, and one word decides everything in it.
    let marking = Marking::open(&out).expect("a run");
    let cases = open(&Run::open(&out).expect("a run"), &marking).expect("a run");
    assert_eq!((cases[0].kind, cases[0].members[0].submission.as_str()), (Kind::Answer, "s0"));
    assert!(cases[0].text.contains("no time"));
    let mut desk = Desk::new(marking.clone(), Mode::Review, "ada", cases.clone(), &[]);
    assert!(desk.decide(Choice::Outcome(Outcome::Partly), None, 1).is_err());
    let act = desk.decide(Choice::Outcome(Outcome::NotMet), Some("Please hand it in."), 1).expect("a choice");
    let entry = Entry { n: 1, time: String::new(), by: "ada".to_owned(), act, prev: String::new() };
    desk.learn(&entry);
    let own = |case: &&Case| case.members.iter().all(|member| member.submission == "s0");
    let decided = cases.iter().filter(own).count();
    assert!(decided > 1 && desk.progress().decided == decided, "{:?} {decided}", desk.progress());
    decide(&out, "ada", "answer", "s0", Choice::Outcome(Outcome::NotMet), Some("Please hand it in."));
    let first = row(0);
    assert_eq!((first.score.expect("graded").pending, first.score.expect("graded").awarded, first.review.len()), (0.0, 0.0, 0));
    let mut log = Log::open(&out, "ada").expect("nobody else decides");
    log.append(String::new(), "ada", Act::Undo { of: 1 }).expect("it is writable");
    drop(log);
    decide(&out, "ada", "answer", "s0", Choice::Outcome(Outcome::Met), None);
    let arguments = row(0);
    assert!(arguments.review.iter().all(|item| item.kind == "criterion") && arguments.quantities.iter().all(|asked| asked.pending == 0.0));
    let mut log = Log::open(&out, "ada").expect("nobody else decides");
    log.append(String::new(), "ada", Act::Undo { of: 3 }).expect("it is writable");
    drop(log);
    decide(&out, "ada", "answer", "s0", Choice::Outcome(Outcome::NotMet), Some("Please hand it in."));
    let run = Run::open(&out).expect("a run");
    cohort::apply(&run, std::slice::from_ref(&drill), None).expect("it is written");
    let feedback = fs::read_to_string(out.join("feedback/s0.md")).expect("it is there");
    assert!(feedback.contains("A grader writes: `Please hand it in.`"), "{feedback}");
    // The next run counts what was decided.
    let again = grade(&folder, &out, &drill);
    assert_eq!((again.reused, again.totals.nothing_found), (5, 0));
    assert_eq!(again.totals.pending + 1, summary.totals.pending);
    assert!(again.totals.review_items < summary.totals.review_items, "{again:?}");
}

#[test]
fn what_was_worked_out_from_a_chosen_value_is_judged_with_it() {
    let (folder, out) = class("chosen");
    let text = "## (a)\n\nS = 2.6 GB or 5.2 GB\n\n## (b)\n\nlatency 1.24 ms, bandwidth 403 ms, total 404.24 ms\n";
    fs::write(folder.join("s0.md"), text).expect("it is writable");
    let drill = drill();
    grade(&folder, &out, &drill);
    let verdict =
        |row: &Row, id: &str| row.quantities.iter().find(|asked| asked.id == id).map(|asked| asked.verdict.clone()).expect("it is asked");
    let first = || {
        let row = rows(&out).swap_remove(0);
        let (mut awarded, mut possible) = (0.0, 0.0);
        for (points, of) in
            row.quantities.iter().map(|of| (of.points, of.possible)).chain(row.criteria.iter().map(|of| (of.points, of.possible)))
        {
            (awarded, possible) = (awarded + points, possible + of);
        }
        let score = row.score.expect("graded");
        assert!((awarded - score.awarded).abs() < 1e-6 && (possible - score.possible).abs() < 1e-6, "{score:?}");
        row
    };
    let before = first();
    assert_eq!(verdict(&before, "a.bytes"), "unclear");
    assert_ne!(verdict(&before, "b.bandwidth"), "carried_forward");
    let marking = Marking::open(&out).expect("a run");
    let on_desk = || open(&Run::open(&out).expect("a run"), &marking).expect("a run");
    let cases = on_desk();
    let case = cases.iter().find(|case| case.id == "a.bytes").expect("it waits");
    let then = |at: usize| case.candidates[at].then.iter().map(|then| format!("{} {}", then.id, then.verdict)).collect::<Vec<_>>();
    assert!(then(1).contains(&"b.bandwidth carried_forward".to_owned()), "{:?}", then(1));
    decide(&out, "ada", "a.bytes", "s0", Choice::Candidate(1), None);
    let after = first();
    assert_eq!((verdict(&after, "a.bytes").as_str(), verdict(&after, "b.bandwidth").as_str()), ("slip", "carried_forward"));
    let points = |row: &Row| row.score.expect("graded").awarded;
    assert!(points(&after) > points(&before), "an error is paid for once: {} and {}", points(&after), points(&before));
    let run = Run::open(&out).expect("a run");
    cohort::apply(&run, std::slice::from_ref(&drill), None).expect("it is written");
    let feedback = fs::read_to_string(out.join("feedback/s0.md")).expect("it is there");
    assert!(feedback.contains("follows rightly from `5.2 GB` in part (a)"), "{feedback}");
    let book = fs::read_to_string(out.join("gradebook.csv")).expect("it is there");
    assert!(book.lines().nth(1).is_some_and(|line| line.starts_with(&format!("s0,,,,{},", points(&after)))), "{book}");
    // The other value carries nothing, and taken back all is as it was.
    let mut log = Log::open(&out, "ada").expect("nobody else decides");
    log.append(String::new(), "ada", Act::Undo { of: 1 }).expect("it is writable");
    drop(log);
    assert_eq!(verdict(&first(), "b.bandwidth"), verdict(&before, "b.bandwidth"));
    decide(&out, "ada", "a.bytes", "s0", Choice::Outcome(Outcome::Met), None);
    assert_ne!(verdict(&first(), "b.bandwidth"), "carried_forward", "the right one is meant");
}
