//! What a report holds and in which order, for every layout: a summary, then part by part what was found.

use crate::drill::Part;
use crate::grade::{CriterionFinding, Outcome, Points, QuantityFinding, Verdict};
use crate::report::Graded;
use crate::report::inert::quoted;
use crate::report::quote::Quote;
use crate::report::shown::{self, TIE};
use crate::report::wording::{Book, Reader};
use crate::text::Span;

/// A report, ready to be laid out.
#[derive(Debug)]
pub(crate) struct Page {
    /// What was handed in, and for which drill.
    pub(crate) title: String,
    /// The whole in a few sentences.
    pub(crate) summary: Vec<String>,
    /// The parts and items of the drill that have anything to say.
    pub(crate) sections: Vec<Section>,
    /// What each number was taken for, where that was asked for.
    pub(crate) numbers: Vec<String>,
}

/// A part or an item of the drill.
#[derive(Debug)]
pub(crate) struct Section {
    /// Its label and title.
    pub(crate) title: String,
    /// Points, where the reader sees them and there are any.
    pub(crate) points: Option<String>,
    /// How deep it stands: an item is inside a part.
    pub(crate) is_item: bool,
    /// What was found.
    pub(crate) entries: Vec<Entry>,
}

/// What was found about one ask, sum or criterion.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The verdict at a glance.
    pub(crate) mark: Mark,
    /// What it is about, what was read, where.
    pub(crate) headline: String,
    /// Where it stands in the answer.
    pub(crate) span: Option<Span>,
    /// Whether it is about an argument, not about a value.
    pub(crate) is_argument: bool,
    /// The student's line, where the words alone do not show what is meant.
    pub(crate) quote: Option<Quote>,
    /// Why, in a sentence or two.
    pub(crate) said: Vec<String>,
    /// For whoever looks something up: the code of the mistake, the id.
    pub(crate) code: Option<String>,
}

/// A verdict at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Right,
    Carried,
    Partly,
    /// Not right, by a mistake that is known.
    Known,
    Wrong,
    Missing,
    Person,
    Hint,
}

impl Mark {
    /// One character that tells it without color.
    pub(crate) fn sign(self) -> char {
        match self {
            Mark::Right => '✓',
            Mark::Carried => '→',
            Mark::Partly => '~',
            Mark::Known | Mark::Wrong => '✗',
            Mark::Missing => '-',
            Mark::Person => '?',
            Mark::Hint => '·',
        }
    }
}

impl Page {
    /// The report on a graded submission.
    pub(crate) fn new(graded: &Graded<'_>, reader: Reader, explain: bool) -> Page {
        let book = Book { drill: graded.drill, grade: graded.grade, source: &graded.answer.source, reader };
        let file = quoted(graded.submission.file);
        let mut sections = Vec::new();
        // Of an answer that holds nothing, a list of all that it does not hold says no more.
        for part in graded.drill.parts.iter().filter(|_| !book.nothing_found()) {
            sections.push(section(&book, part, false));
            sections.extend(part.items.iter().map(|item| section(&book, item, true)));
        }
        // A part that only holds items keeps its heading; one that holds nothing at all has nothing to say.
        let last = sections.len();
        let empty: Vec<bool> = (0..last)
            .map(|at| sections[at].entries.is_empty() && !sections.get(at + 1).is_some_and(|next| !sections[at].is_item && next.is_item))
            .collect();
        let mut keep = empty.iter().map(|empty| !empty);
        sections.retain(|_| keep.next().unwrap_or(true));
        Page {
            title: format!("{file}: {}", graded.drill.title),
            summary: book.summary().into_iter().chain(book.reading_of_the_file(graded.answer)).collect(),
            sections,
            numbers: if explain { graded.grade.uses.iter().map(|finding| book.used(finding)).collect() } else { Vec::new() },
        }
    }
}

fn section(book: &Book<'_>, part: &Part, is_item: bool) -> Section {
    let quantities: Vec<&QuantityFinding> =
        part.asks.iter().filter_map(|&at| book.grade.quantities.iter().find(|finding| finding.ask == book.drill.asks[at].id)).collect();
    let criteria: Vec<&CriterionFinding> = book.grade.criteria.iter().filter(|finding| finding.part == part.id).collect();
    let all = quantities.iter().map(|finding| finding.points).chain(criteria.iter().map(|finding| finding.points));
    let points = all.fold(Points::default(), |sum, points| Points {
        awarded: sum.awarded + points.awarded,
        possible: sum.possible + points.possible,
        pending: sum.pending + points.pending,
    });
    let staff = book.reader == Reader::Staff;
    let mut entries = Vec::new();
    // What the drill does not demand and the answer does not give is not worth a line.
    for finding in quantities.iter().filter(|finding| finding.required || finding.verdict != Verdict::Missing) {
        entries.push(quantity(book, finding));
    }
    for finding in &criteria {
        entries.extend(criterion(book, finding));
    }
    Section {
        title: format!("({}) {}", part.id, part.title),
        points: (staff && points.possible > 0.0).then(|| earned(points)),
        is_item,
        entries,
    }
}

/// `4 of 6`, and what waits.
fn earned(points: Points) -> String {
    let of = format!("{}{TIE}of{TIE}{}", shown::points(points.awarded), shown::points(points.possible));
    if points.pending > 0.0 { format!("{of}, {}{TIE}waiting", shown::points(points.pending)) } else { of }
}

fn quantity(book: &Book<'_>, finding: &QuantityFinding) -> Entry {
    let staff = book.reader == Reader::Staff;
    let mark = match finding.verdict {
        Verdict::Correct => Mark::Right,
        Verdict::CarriedForward => Mark::Carried,
        Verdict::Form => Mark::Partly,
        Verdict::Slip => Mark::Known,
        Verdict::Wrong => Mark::Wrong,
        Verdict::Missing => Mark::Missing,
        Verdict::Unclear => Mark::Person,
    };
    let mut headline = format!("{}: {}", book.name(&finding.ask), book.read(finding));
    if staff && finding.points.possible > 0.0 {
        headline = format!("{headline}, {}", earned(finding.points));
    }
    // What is right, or follows rightly, needs no second look.
    let needs_quote = matches!(finding.verdict, Verdict::Slip | Verdict::Wrong | Verdict::Form | Verdict::Unclear);
    let code = finding.mistake.as_ref().map(|mistake| mistake.code().to_owned());
    let mut said = book.quantity(finding);
    said.extend(finding.ruled.as_ref().and_then(|ruled| book.word(ruled)));
    Entry {
        mark,
        headline,
        span: finding.read.as_ref().map(|read| read.span),
        is_argument: false,
        quote: finding.read.as_ref().filter(|_| needs_quote).map(|read| Quote::new(book.source, read.span)),
        said,
        code: code.filter(|_| staff),
    }
}

/// A criterion for staff; for students a hint, where there is one to give.
fn criterion(book: &Book<'_>, finding: &CriterionFinding) -> Option<Entry> {
    let mut said = book.criterion(finding);
    let mark = match finding.outcome {
        Outcome::Met => Mark::Right,
        Outcome::Partly => Mark::Partly,
        Outcome::NotMet => Mark::Wrong,
        Outcome::Review => Mark::Person,
    };
    if book.reader == Reader::Student {
        // What a person decided, a student may know; what a rule takes it for is only a hint.
        if let Some(ruled) = &finding.ruled {
            let mut said = book.student(finding);
            said.extend(book.word(ruled));
            let headline = (!said.is_empty()).then(|| said.remove(0))?;
            let span = finding.evidence.first().map(|basis| basis.span);
            return Some(Entry { mark, headline, span, is_argument: true, quote: None, said, code: None });
        }
        let headline = (!said.is_empty()).then(|| said.remove(0))?;
        return Some(Entry { mark: Mark::Hint, headline, span: None, is_argument: true, quote: None, said, code: None });
    }
    if finding.withheld {
        said.push("It earns nothing, as what it depends on does not hold.".to_owned());
    }
    said.extend(finding.ruled.as_ref().and_then(|ruled| book.word(ruled)));
    let separate = book.separate_of(&finding.id);
    said.extend(separate.map(|separate| book.separate(separate)));
    Some(Entry {
        mark,
        headline: format!("{}: {}, {}", quoted(&finding.id), book.outcome(finding), earned(finding.points)),
        span: finding.evidence.first().map(|basis| basis.span),
        is_argument: true,
        quote: finding.evidence.first().map(|basis| Quote::new(book.source, basis.span)),
        said,
        code: None,
    })
}
