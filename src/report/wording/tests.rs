//! Every sentence of the book, for both readers, in one file to be read aloud: `wording.snap`.

use std::fmt::Write;

use super::*;
use crate::answer::Kind;
use crate::drill::Library;
use crate::grade::{Basis, Points, ReviewItem, ReviewKind, Term};
use crate::quantity::Figures;
use crate::report::inert;
use crate::text::Span;

const TEXT: &str = "Latency: 2*32*20 us = 12.8 ms, later 1.42 ms.\n";

fn read(text: &str, value: f64, unit: Option<&str>) -> Read {
    let start = TEXT.find(text).expect("the text holds it");
    Read {
        span: Span::new(start, start + text.len()),
        text: text.into(),
        value: Number::inexact(value),
        high: None,
        unit: unit.map(Into::into),
        unit_elsewhere: false,
        approximate: false,
        words: false,
    }
}

fn finding(verdict: Verdict) -> QuantityFinding {
    QuantityFinding {
        ask: "b.latency".into(),
        part: "b".into(),
        required: true,
        verdict,
        read: Some(read("12.8 ms", 0.0128, Some("ms"))),
        reading: None,
        mistake: None,
        carried_from: Vec::new(),
        notes: Vec::new(),
        candidates: Vec::new(),
        weighed: Vec::new(),
        points: Points::default(),
        ruled: None,
    }
}

#[test]
fn the_book_reads_well() {
    let drill = Library::built_in().load("communication-budget").expect("the shipped drill is clean");
    let answer = Answer::read("answer.md", TEXT, Kind::Markdown);
    let mut upstream = finding(Verdict::Slip);
    upstream.ask = "a.bytes".into();
    upstream.part = "a".into();
    let grade = |why: Option<ReviewWhy>| Grade {
        drill: drill.id.clone(),
        score: Points { awarded: 27.5, possible: 40.0, pending: 1.0 },
        quantities: vec![upstream.clone(), finding(Verdict::Wrong), finding(Verdict::Unclear)],
        separate: Vec::new(),
        criteria: Vec::new(),
        review: why
            .map(|why| ReviewItem { kind: ReviewKind::Quantity, id: "b.latency".into(), why, candidates: Vec::new() })
            .into_iter()
            .collect(),
        uses: Vec::new(),
        empty: false,
        consequences: Vec::new(),
        ruled: None,
        parts_found: true,
        passages: Vec::new(),
    };
    let plain = grade(None);
    let mut page = String::new();
    for reader in [Reader::Student, Reader::Staff] {
        let _ = writeln!(page, "==== {reader:?} ====\n");
        let book = Book { drill: &drill, grade: &plain, source: &answer.source, reader };
        let mut say = |code: &str, sentences: Vec<String>| {
            let _ = writeln!(page, "{code}: {}", inert::terminal(&sentences.join(" ")).replace(TIE, " "));
        };
        say("summary", book.summary());
        say("correct", vec![book.read(&finding(Verdict::Correct))]);
        say("wrong", book.quantity(&finding(Verdict::Wrong)));
        let carried = |from: &[&str]| {
            let carried_from = from.iter().map(|id| (*id).into()).collect();
            vec![book.read(&QuantityFinding { carried_from, ..finding(Verdict::CarriedForward) })]
        };
        say("carried_forward", carried(&["a.bytes"]));
        say("carried_forward", carried(&["a.bytes", "b.latency", "b.bandwidth"]));
        for mistake in mistakes() {
            let code = mistake.code().to_owned();
            say(&code, book.quantity(&QuantityFinding { mistake: Some(mistake), ..finding(Verdict::Slip) }));
        }
        for note in notes() {
            say(note.code(), book.note(&finding(Verdict::Form), &note).into_iter().collect());
        }
        for why in WHYS {
            let grade = grade(Some(why));
            let book = Book { grade: &grade, ..book };
            let candidates = match why {
                ReviewWhy::TwoCandidates => vec![read("12.8 ms", 0.0128, None), read("1.42 ms", 0.00142, None)],
                _ => vec![read("1.42 ms", 0.00142, None)],
            };
            say(why.code(), book.quantity(&QuantityFinding { candidates, read: None, ..finding(Verdict::Unclear) }));
        }
        for found in [Found::Both, Found::One, Found::TotalOnly, Found::None] {
            let shown = |ask: &str, is_shown: bool| Term { ask: ask.into(), read: is_shown.then(|| read("12.8 ms", 0.0128, Some("ms"))) };
            let terms =
                vec![shown("b.latency", matches!(found, Found::Both | Found::One)), shown("b.bandwidth", matches!(found, Found::Both))];
            say(found.code(), vec![book.separate(&SeparateFinding { of: "b.total".into(), terms, found })]);
        }
        for used in uses() {
            let clues = vec![Clue::Words(basis("Latency")), Clue::Part("b".to_owned()), Clue::Unit];
            say(used.code(), vec![book.used(&UseFinding { read: read("12.8 ms", 0.0128, Some("ms")), used, clues })]);
        }
    }
    insta::with_settings!({ snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("wording", page);
    });
}

#[test]
fn every_code_is_explained_to_those_who_read_json() {
    let page = include_str!("../../../docs/report.md");
    // The first mistake is one of the drill's own.
    let mut codes: Vec<String> = mistakes().iter().skip(1).map(|mistake| mistake.code().to_owned()).collect();
    codes.extend(notes().iter().map(|note| note.code().to_owned()));
    codes.extend(WHYS.iter().map(|why| why.code().to_owned()));
    codes.extend(uses().iter().map(|used| used.code().to_owned()));
    let missing: Vec<&String> = codes.iter().filter(|code| !page.contains(&format!("`{code}`"))).collect();
    assert!(missing.is_empty(), "docs/report.md does not explain {missing:?}");
}

fn basis(text: &str) -> Basis {
    let start = TEXT.find(text).expect("the text holds it");
    Basis { span: Span::new(start, start + text.len()), text: text.into() }
}

fn mistakes() -> Vec<Mistake> {
    let general = [
        General::PowerOfTen { exponent: 3 },
        General::BitsForBytes,
        General::BinaryForDecimal,
        General::FactorTwo,
        General::Reciprocal,
        General::PercentForFraction,
        General::Sign,
        General::WrongOperand { wanted: "P".to_owned(), used: "g".to_owned() },
        General::DroppedOperand { dropped: "alpha".to_owned() },
        General::OffByOne,
        General::Arithmetic,
        General::Swapped { with: "b.bandwidth".to_owned() },
    ];
    let listed = Mistake::Listed("b_lat_2P".into());
    std::iter::once(listed).chain(general.into_iter().map(Mistake::General)).collect()
}

fn notes() -> Vec<Note> {
    let other = || Box::new(read("1.42 ms", 0.00142, Some("ms")));
    let work = || Box::new(read("2*32*20 us", 0.00128, None));
    vec![
        Note::MissingUnit { understood: "ms".to_owned() },
        Note::MissingUnit { understood: String::new() },
        Note::OtherUnit { written: "GiB".to_owned(), asked: "MiB".to_owned() },
        Note::WrongUnit { written: "GB/s".to_owned(), asked: "GB".to_owned() },
        Note::TooFewFigures { shown: Figures { least: 1, most: 1 }, wanted: 2 },
        Note::Truncated,
        Note::PrefixReadAs { read_as: "GiB".to_owned() },
        Note::LooseSpelling,
        Note::UnitFromContext { unit: "ms".to_owned() },
        Note::InconsistentRestatement { other: other() },
        Note::Replaced { earlier: other() },
        Note::RangeGiven,
        Note::BoundGiven,
        Note::NotLabeled { reading: "b_dom_share_bw".to_owned() },
        Note::Supporting { reading: "b_dom_share_bw".to_owned() },
        Note::BrokenLink { left: work(), comes_to: Number::inexact(0.00128), right: Box::new(read("12.8 ms", 0.0128, Some("ms"))) },
        Note::WorkDoesNotLeadThere { work: work(), comes_to: Number::inexact(0.00128) },
        Note::NotCarried { from: "a.bytes".to_owned() },
        Note::ContradictsOwn { from: vec!["a.bytes".to_owned()] },
        Note::FoundInPart { part: Some("c".to_owned()) },
        Note::FoundInPart { part: None },
    ]
}

const WHYS: [ReviewWhy; 15] = [
    ReviewWhy::TwoCandidates,
    ReviewWhy::Unlabeled,
    ReviewWhy::UnknownUnit,
    ReviewWhy::Unconvertible,
    ReviewWhy::Unreadable,
    ReviewWhy::BoundOrRange,
    ReviewWhy::ReadingNotLabeled,
    ReviewWhy::NotOwn,
    ReviewWhy::Contradiction,
    ReviewWhy::UntrueComparison,
    ReviewWhy::CopiedText,
    ReviewWhy::NoRuleDecides,
    ReviewWhy::ByHand,
    ReviewWhy::TooLong,
    ReviewWhy::NothingFound,
];

fn uses() -> Vec<Use> {
    let ask = || "b.latency".to_owned();
    vec![
        Use::Answer(ask()),
        Use::Restatement(ask()),
        Use::Candidate(ask()),
        Use::Replaced(ask()),
        Use::Given("alpha".to_owned()),
        Use::Step(Some(ask())),
        Use::Step(None),
        Use::Reused(ask()),
        Use::Withdrawn,
        Use::Quoted,
        Use::Label,
        Use::Aside,
    ]
}
