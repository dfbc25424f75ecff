//! From statistics to what is said: everything gets its name, its order, and its example.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::texts::{self, Texts};
use super::words::{self, answers, percent, share};
use super::{AgreementView, Care, ItemView, MistakeView, Overview, PartView, RootView, Student, SumView, View, WaitingView};
use crate::cohort::read::{Row, Run};
use crate::cohort::review::{Agreement, Disagreement};
use crate::cohort::stats::{self, Common, DrillStats, Item, Stats};
use crate::drill::Drill;
use crate::report::inert::quoted;
use crate::report::look::Look;
use crate::report::quote::Quote;
use crate::report::shown::{self, TIE};
use crate::text::Span;

/// Mistakes that are shown with an example.
const WITH_EXAMPLE: usize = 12;
/// A wrong value that fewer answers share is nobody's common mistake.
const FEWEST_SHARED: usize = 3;
/// An item on which more than this share of the points was earned is not among the hard ones.
const EASY: f64 = 0.9;
/// Names listed in a sentence.
const NAMED: usize = 12;

/// What the table of students knows of a row.
pub(super) fn student(row: &Row) -> Student {
    let mut signs = String::new();
    let mut part = None;
    let mut found: Vec<_> = stats::judged(row).filter(|item| item.required).collect();
    // The criteria of a part stand beside its values.
    let mut order: Vec<&str> = found.iter().map(|item| head(item.id)).collect();
    order.dedup();
    let rank = |id: &str| order.iter().position(|known| *known == head(id));
    found.sort_by_key(|item| rank(item.id));
    for item in &found {
        if part.is_some_and(|part| part != head(item.id)) {
            signs.push(' ');
        }
        part = Some(head(item.id));
        signs.push_str(Look::of_code(item.verdict).sign());
    }
    let count = |looks: &[Look]| {
        let values = row.quantities.iter().filter(|quantity| quantity.required);
        values.filter(|quantity| looks.contains(&Look::of_code(&quantity.verdict))).count()
    };
    Student {
        submitted: row.submission.clone(),
        drill: row.drill.as_ref().map(|drill| drill.id.clone()),
        score: row.score,
        signs,
        right: count(&[Look::Right, Look::Partly]),
        carried: count(&[Look::Carried]),
        off: count(&[Look::Slip, Look::Wrong]),
        missing: count(&[Look::Missing]),
        open: row.review.len(),
        totals_only: row.separate_terms.iter().any(|sum| sum.found == "total_only"),
        nothing_found: stats::nothing_found(row),
        error: row.error.clone(),
    }
}

/// The part of an id: `b` of `b.latency`.
fn head(id: &str) -> &str {
    id.split_once('.').map_or(id, |(head, _)| head)
}

/// Everything, ready to be laid out.
pub(super) fn overview(
    run: &Run,
    drills: &[Drill],
    class: Option<&Path>,
    stats: &Stats,
    agreement: &[Agreement],
    students: Vec<Student>,
) -> Overview {
    let texts = Texts::open(run, class);
    let people: BTreeMap<&str, &Student> = students.iter().map(|student| (student.submitted.id.as_str(), student)).collect();
    let views: Vec<View> = stats
        .drills
        .iter()
        .map(|(id, stats)| {
            let names = Names { drill: drills.iter().find(|drill| drill.id == *id), id };
            View { agreement: names.agreement(agreement), ..names.view(stats, &texts, &people) }
        })
        .collect();
    let mut remarks = Vec::new();
    for view in &views {
        let known = drills.iter().find(|drill| drill.id == view.id);
        let graded = run.manifest.drills.iter().find(|versions| versions.drill.id == view.id);
        match (known, graded) {
            (None, _) => remarks.push(format!("The drill {} is not in the library, so its items go by their ids.", quoted(&view.id))),
            (Some(known), Some(graded)) if known.sha256 != graded.drill.sha256 || known.rubric.sha256 != graded.rubric.sha256 => remarks
                .push(format!(
                    "The drill {} or its rubric has changed since this run: names are today’s, verdicts are the run’s.",
                    quoted(&view.id)
                )),
            _ => {}
        }
    }
    if let Some(trouble) = &texts.trouble {
        remarks.push(format!(
            "The answers themselves cannot be shown: {}. Name the class with {} where it is now.",
            quoted(trouble),
            quoted("--class")
        ));
    }
    let title = match &views[..] {
        [only] => only.title.clone(),
        views => format!("A class with {}", shown::count(views.len(), "drill", "drills")),
    };
    let mut overview = Overview {
        title,
        input: run.manifest.input.clone(),
        tool: format!("{} {}", run.manifest.tool.name, run.manifest.tool.version),
        lead: Vec::new(),
        cares: cares(run, stats, &students),
        drills: views,
        students,
        remarks,
        texts,
    };
    overview.lead = lead(&overview, stats);
    overview
}

/// What the ids of a drill are called.
struct Names<'a> {
    drill: Option<&'a Drill>,
    id: &'a str,
}

impl Names<'_> {
    fn view(&self, stats: &DrillStats, texts: &Texts, people: &BTreeMap<&str, &Student>) -> View {
        let mut forms: Vec<(&'static str, usize)> = stats
            .notes
            .iter()
            .filter(|(code, _)| words::is_form(code))
            .filter_map(|(code, &count)| Some((words::note(code)?, count)))
            .collect();
        forms.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let example = Examples { texts, people };
        View {
            id: self.id.to_owned(),
            title: self.drill.map_or_else(|| self.id.to_owned(), |drill| drill.title.clone()),
            answers: stats.answers,
            waiting: stats.waiting,
            scores: stats.scores.clone(),
            parts: self.parts(&stats.items),
            mistakes: self.mistakes(&stats.mistakes, 1, &example, |ask, code| self.mistake(ask, code)),
            unexplained: self.mistakes(&stats.unexplained, FEWEST_SHARED, &example, |_, _| None),
            forms,
            sums: self.sums(stats),
            roots: self.roots(stats),
            backlog: self.backlog(stats),
            agreement: Vec::new(),
        }
    }

    /// An ask or a criterion, as the drill calls it.
    fn name(&self, id: &str) -> String {
        let Some(drill) = self.drill else { return id.to_owned() };
        let ask = drill.ask(id).map(|at| drill.asks[at].asks.clone());
        let criterion = || drill.rubric.criteria.iter().find(|criterion| criterion.id == id).map(|criterion| criterion.says.clone());
        ask.or_else(criterion).filter(|name| !name.is_empty()).unwrap_or_else(|| id.to_owned())
    }

    /// Where an item stands in the drill; what is not in it stands last, in its own order.
    fn place(&self, id: &str) -> usize {
        let Some(drill) = self.drill else { return 0 };
        let criteria = || drill.rubric.criteria.iter().position(|criterion| criterion.id == id).map(|at| drill.asks.len() + at);
        drill.ask(id).or_else(criteria).unwrap_or(usize::MAX)
    }

    /// The part or the item of a part that something stands in, by its place in the drill, and its heading.
    fn part(&self, item: &Item) -> (usize, String) {
        let Some(drill) = self.drill else { return (0, format!("({})", head(&item.id))) };
        let within = drill.ask(&item.id).and_then(|at| drill.asks[at].item.clone()).unwrap_or_else(|| item.part.clone());
        let found = drill.all_parts().enumerate().find(|(_, part)| part.id == within);
        found.map_or_else(|| (usize::MAX, format!("({within})")), |(at, part)| (at, format!("({within}) {}", part.title)))
    }

    fn parts(&self, items: &[Item]) -> Vec<PartView> {
        // What is neither demanded nor worth anything is no item of a test.
        let worth = |item: &&Item| item.required || item.possible > 0.0;
        let mut placed: Vec<(usize, String, &Item)> = items
            .iter()
            .filter(worth)
            .map(|item| {
                let (at, title) = self.part(item);
                (at, title, item)
            })
            .collect();
        placed.sort_by_key(|(at, _, item)| (*at, self.place(&item.id)));
        let mut parts: Vec<PartView> = Vec::new();
        for (_, title, item) in placed {
            match parts.iter_mut().find(|part| part.title == title) {
                Some(part) => part.items.push(self.item(item)),
                None => parts.push(PartView { title, items: vec![self.item(item)] }),
            }
        }
        parts
    }

    fn item(&self, item: &Item) -> ItemView {
        let mut counts: BTreeMap<Look, usize> = BTreeMap::new();
        for (code, count) in &item.verdicts {
            *counts.entry(Look::of_code(code)).or_default() += count;
        }
        ItemView {
            id: item.id.clone(),
            name: self.name(&item.id),
            possible: item.possible,
            counts: counts.into_iter().collect(),
            difficulty: item.difficulty(),
            discrimination: item.discrimination(),
        }
    }

    /// What a mistake is, in the author's words or ours.
    fn mistake(&self, ask: &str, code: &str) -> Option<String> {
        let listed = self.drill.and_then(|drill| {
            let ask = &drill.asks[drill.ask(ask)?];
            ask.mistakes.iter().find(|mistake| mistake.id == code).map(|mistake| mistake.says.clone())
        });
        listed.filter(|says| !says.is_empty()).or_else(|| words::general_mistake(code).map(str::to_owned))
    }

    fn mistakes(
        &self,
        of: &BTreeMap<(String, String), Common>,
        fewest: usize,
        examples: &Examples<'_>,
        says: impl Fn(&str, &str) -> Option<String>,
    ) -> Vec<MistakeView> {
        let mut common: Vec<(&(String, String), &Common)> = of.iter().filter(|(_, common)| common.answers >= fewest).collect();
        common.sort_by_key(|((ask, code), common)| (std::cmp::Reverse(common.answers), self.place(ask), code.clone()));
        let view = |(at, ((ask, code), common)): (usize, (&(String, String), &Common))| MistakeView {
            ask: ask.clone(),
            name: self.name(ask),
            // A value is shown as somebody wrote it.
            code: if fewest > 1 {
                common.examples.first().map_or_else(|| code.clone(), |example| example.text.clone())
            } else {
                code.clone()
            },
            says: says(ask, code),
            answers: common.answers,
            example: if at < WITH_EXAMPLE { examples.of(common) } else { None },
        };
        common.into_iter().enumerate().map(view).collect()
    }

    fn sums(&self, stats: &DrillStats) -> Vec<SumView> {
        let mut sums: Vec<_> = stats.sums.iter().collect();
        sums.sort_by_key(|(of, _)| self.place(of));
        sums.into_iter()
            .map(|(of, sum)| {
                let found = |code: &str| sum.found.get(code).copied().unwrap_or(0);
                SumView {
                    name: self.name(of),
                    terms: sum.terms.iter().map(|term| self.name(term)).collect(),
                    both: found("both"),
                    one: found("one"),
                    total_only: found("total_only"),
                    none: found("none"),
                    who: sum.total_only.clone(),
                }
            })
            .collect()
    }

    fn roots(&self, stats: &DrillStats) -> Vec<RootView> {
        let mut roots: Vec<RootView> = stats
            .roots
            .iter()
            .map(|(ask, root)| {
                let mut mistakes: Vec<(String, usize)> = root
                    .mistakes
                    .iter()
                    .map(|(code, &count)| match code.as_str() {
                        "" => ("No known mistake explains it.".to_owned(), count),
                        code => (self.mistake(ask, code).unwrap_or_else(|| quoted(code).to_string()), count),
                    })
                    .collect();
                mistakes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
                let mut reaches: Vec<_> = root.reaches.iter().map(|(id, &count)| (id.clone(), self.name(id), count)).collect();
                reaches.sort_by_key(|(id, ..)| self.place(id));
                RootView { ask: ask.clone(), name: self.name(ask), answers: root.answers, kept: root.kept, mistakes, reaches }
            })
            .collect();
        roots.sort_by_key(|root| (std::cmp::Reverse(root.answers), self.place(&root.ask)));
        roots
    }

    fn backlog(&self, stats: &DrillStats) -> Vec<WaitingView> {
        let mut backlog: Vec<WaitingView> = stats
            .backlog
            .iter()
            .map(|(id, waiting)| {
                let mut why: Vec<(String, usize)> = waiting.why.iter().map(|(code, &count)| (words::why(code).to_owned(), count)).collect();
                why.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
                WaitingView { id: id.clone(), name: self.name(id), answers: waiting.answers, points: waiting.points, why }
            })
            .collect();
        backlog.sort_by(|a, b| b.answers.cmp(&a.answers).then_with(|| self.place(&a.id).cmp(&self.place(&b.id))));
        backlog
    }
}

impl Names<'_> {
    fn agreement(&self, of: &[Agreement]) -> Vec<AgreementView> {
        let mut views: Vec<AgreementView> = of
            .iter()
            .filter(|agreement| agreement.drill == self.id)
            .map(|agreement| AgreementView {
                id: agreement.id.clone(),
                name: self.name(&agreement.id),
                people: agreement.people.clone(),
                rules: agreement.rules.clone(),
                disagreements: agreement.disagreements.iter().map(disagreement).collect(),
            })
            .collect();
        views.sort_by_key(|view| self.place(&view.id));
        views
    }
}

/// What two sides say, and how it was settled.
fn disagreement(of: &Disagreement) -> String {
    let first = of.first.as_ref().map_or_else(|| "the rules".to_owned(), |first| quoted(first).to_string());
    let settled = match &of.settled {
        Some(settled) => format!("settled as {}", words::outcome(settled)),
        None => "not settled yet".to_owned(),
    };
    format!(
        "{}: {} by {first}, {} by {}; {settled}.",
        quoted(&of.submission),
        words::outcome(&of.first_says),
        words::outcome(&of.second_says),
        quoted(&of.second)
    )
}

/// Finds a line that shows a mistake and names nobody.
struct Examples<'a> {
    texts: &'a Texts,
    people: &'a BTreeMap<&'a str, &'a Student>,
}

impl Examples<'_> {
    fn of(&self, common: &Common) -> Option<Quote> {
        common.examples.iter().find_map(|example| {
            let student = self.people.get(example.submission.as_str())?;
            let answer = self.texts.of(&student.submitted).ok()?;
            let span = Span::new(example.span.0, example.span.1.max(example.span.0));
            texts::anonymous(&answer.source, span, &student.submitted)
        })
    }
}

/// Whom somebody has to look after.
fn cares(run: &Run, stats: &Stats, students: &[Student]) -> Vec<Care> {
    let mut cares = Vec::new();
    let mut care = |title: String, lines: Vec<String>| {
        if !lines.is_empty() {
            cares.push(Care { title, lines });
        }
    };
    let ungraded: Vec<String> = stats.ungraded.iter().map(|(id, why)| format!("{}: {}", quoted(id), quoted(why))).collect();
    care("Could not be graded".to_owned(), ungraded);
    // Of a class to one drill, who answered another has most likely taken the wrong file.
    let most = stats.drills.iter().max_by_key(|(_, drill)| drill.answers).filter(|(_, drill)| 2 * drill.answers > stats.submissions);
    let strays =
        students.iter().filter_map(|student| Some((student, student.drill.as_ref().filter(|id| Some(*id) != most.map(|(id, _)| id))?)));
    let others = strays.filter(|_| most.is_some()).map(|(student, drill)| format!("{}: {}", quoted(&student.submitted.id), quoted(drill)));
    care("Answers another drill".to_owned(), others.collect());
    let empty = students.iter().filter(|student| student.nothing_found).map(|student| quoted(&student.submitted.id).to_string());
    care("Nothing that is asked was found: the right file?".to_owned(), empty.collect());
    if let Some(matches) = &run.manifest.roster {
        care("Handed nothing in".to_owned(), matches.absent.iter().map(|person| quoted(&person.name).to_string()).collect());
        care("Not in the roster".to_owned(), matches.unmatched.iter().map(|id| quoted(id).to_string()).collect());
        let twice = matches.twice.iter().map(|twice| format!("{}: {}", quoted(&twice.name), quoted(&twice.submissions.join(", "))));
        care("Has several submissions".to_owned(), twice.collect());
    }
    let strays = run.manifest.strays.iter().map(|stray| format!("{}: {}", quoted(&stray.path), stray.why));
    care("Files that belong to nobody".to_owned(), strays.collect());
    cares
}

/// The whole in a few sentences.
fn lead(overview: &Overview, stats: &Stats) -> Vec<String> {
    let mut said = Vec::new();
    let graded = stats.submissions - stats.ungraded.len();
    let mut first = format!("{} {} graded", shown::sentence(&answers(graded)), if graded == 1 { "is" } else { "are" });
    if !stats.ungraded.is_empty() {
        first = format!("{first}; {} could not be", stats.ungraded.len());
    }
    said.push(first + ".");
    match &overview.drills[..] {
        [view] => said.extend(lead_of(view)),
        // With several drills the sections below speak for themselves.
        views => said.extend(views.iter().filter_map(|view| {
            let median = view.scores.quantile(0.5)?;
            let possible = shown::points_in_words(view.scores.possible);
            Some(format!("{}: {}, the median is {} of {possible}.", view.title, answers(view.answers), rounded(median)))
        })),
    }
    said
}

/// One drill in a few sentences.
fn lead_of(view: &View) -> Vec<String> {
    let mut said = Vec::new();
    let scores = &view.scores;
    if let (Some(median), Some(mean), Some(low), Some(high)) =
        (scores.quantile(0.5), scores.mean(), scores.quantile(0.25), scores.quantile(0.75))
    {
        said.push(format!(
            "The median is {} of {}, the mean {}; the middle half lies between {} and {}.",
            rounded(median),
            shown::points_in_words(scores.possible),
            rounded(mean),
            rounded(low),
            rounded(high)
        ));
    }
    if view.waiting > 0 {
        let things: usize = view.backlog.iter().map(|waiting| waiting.answers).sum();
        said.push(format!(
            "{} in {} {} for a person, worth {}; what waits is not counted above.",
            shown::sentence(&shown::count(things, "finding", "findings")),
            answers(view.waiting),
            if things == 1 { "waits" } else { "wait" },
            shown::points_in_words(scores.pending)
        ));
    }
    let items = view.parts.iter().flat_map(|part| &part.items);
    let mut hard: Vec<(f64, &ItemView)> = items.filter_map(|item| Some((item.difficulty?, item))).collect();
    hard.retain(|(difficulty, _)| *difficulty < EASY);
    hard.sort_by(|a, b| a.0.total_cmp(&b.0));
    let hardest: Vec<String> =
        hard.iter().take(3).map(|(difficulty, item)| format!("{} ({})", quoted(&item.id), percent(*difficulty))).collect();
    if !hardest.is_empty() {
        said.push(format!("The smallest share of its points was earned on {}.", shown::list(&hardest, "and")));
    }
    if let Some(mistake) = view.mistakes.first().filter(|mistake| mistake.answers > 1) {
        said.push(format!(
            "The most common mistake, in {} of the answers, is about {}: {}",
            percent(share(mistake.answers, view.answers)),
            mistake.name,
            mistake.says.clone().unwrap_or_else(|| quoted(&mistake.code).to_string())
        ));
    }
    let only: BTreeSet<&String> = view.sums.iter().flat_map(|sum| &sum.who).collect();
    if !only.is_empty() {
        let gives = if only.len() == 1 { "gives" } else { "give" };
        said.push(format!("{} {gives} only the total where its terms are asked for.", shown::sentence(&answers(only.len()))));
    }
    said
}

/// Points as a class is spoken of: to the tenth.
fn rounded(points: f64) -> String {
    shown::points((points * 10.0).round() / 10.0)
}

/// The first few of a list of ids, in one sentence.
pub(super) fn listed(ids: &[String]) -> String {
    let named: Vec<String> = ids.iter().take(NAMED).map(|id| quoted(id).to_string()).collect();
    match ids.len().checked_sub(NAMED) {
        Some(more @ 1..) => format!("{}, and {more}{TIE}more", named.join(", ")),
        _ => shown::list(&named, "and"),
    }
}
