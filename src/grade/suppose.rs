//! What would come out otherwise, were one of the values of an unclear quantity the one that is meant.
//!
//! A person says which value is meant long after the answer was graded, and often without it being at hand. So what follows
//! from each choice is worked out with the grade: whatever is worked out from the value is judged with it, as if the student
//! had marked it.

use crate::answer::Answer;
use crate::drill::CriterionKind;
use crate::grade::align::Alignment;
use crate::grade::criteria::{self, Decided, Pieces};
use crate::grade::finding::{Consequence, CriterionFinding, Outcome, QuantityFinding, SeparateFinding, Verdict};
use crate::grade::scene::Scene;
use crate::grade::verdicts::{self, Heard, Memory, Picks};
use crate::grade::{Grader, score, separate};

/// So many choices are worked out; where there are more, only one unclear quantity at a time.
const MOST: usize = 32;
/// And of those no more than this.
const MOST_ALONE: usize = 64;

/// An answer as it was laid out for its grade.
pub(super) struct Supposed<'s> {
    pub(super) grader: &'s Grader<'s>,
    pub(super) answer: &'s Answer,
    pub(super) scene: &'s Scene<'s>,
    pub(super) alignment: &'s Alignment,
    pub(super) memory: &'s Memory,
    pub(super) pieces: &'s Pieces<'s, 's>,
}

/// What came of it.
pub(super) struct Found<'s> {
    pub(super) heard: &'s [Heard],
    pub(super) quantities: &'s [QuantityFinding],
    pub(super) separate: &'s [SeparateFinding],
    pub(super) decided: &'s Decided<'s>,
    pub(super) criteria: &'s [CriterionFinding],
}

/// An ask, which of its candidates is meant, and the number of the scene.
type Pick = (usize, usize, usize);

impl Supposed<'_> {
    /// What follows from each choice, where anything does.
    pub(super) fn consequences(&self, found: &Found<'_>) -> Vec<Consequence> {
        let open = |(ask, heard): (usize, &'_ Heard)| match heard {
            Heard::Open(numbers, _) if self.matters(ask) => Some((ask, numbers.clone())),
            _ => None,
        };
        let open: Vec<(usize, Vec<usize>)> = found.heard.iter().enumerate().filter_map(open).collect();
        if open.is_empty() {
            return Vec::new();
        }
        let all: Vec<Consequence> = choices(&open).iter().map(|choice| self.consequence(choice, found)).collect();
        let is_empty = |one: &Consequence| one.quantities.is_empty() && one.separate.is_empty() && one.criteria.is_empty();
        // That two choices together change nothing says something, where one of them alone does.
        if all.iter().all(is_empty) { Vec::new() } else { all }
    }

    /// Whether anything hangs on the value of an ask: other asks, or whether the terms of a sum are shown.
    fn matters(&self, ask: usize) -> bool {
        let drill = self.grader.drill;
        let is_term = drill.rubric.criteria.iter().any(|criterion| match &criterion.kind {
            CriterionKind::Separate(sum) => sum.of == ask || sum.terms.contains(&ask),
            _ => false,
        });
        let feeds = |name| drill.asks.iter().enumerate().any(|(other, of)| other != ask && of.needs.contains(name));
        is_term || drill.asks[ask].states.is_some_and(feeds)
    }

    fn consequence(&self, choice: &[Pick], found: &Found<'_>) -> Consequence {
        let (grader, drill) = (self.grader, self.grader.drill);
        let picks: Picks = choice.iter().map(|(ask, _, number)| (*ask, *number)).collect();
        let now = verdicts::judge_all(grader, self.answer, self.scene, self.alignment, self.memory, &picks);
        let findings = grader.findings(self.answer, self.scene, self.alignment, self.memory, &now);
        let shown = separate::find(drill, &now, &findings);
        let decided = criteria::decide(grader, self.pieces, &now, &shown, Some(found.decided));
        let mut weighed = decided.findings(drill, self.answer);
        score::criteria(drill, &findings, &mut weighed, &|_| None);
        let is_other = |ask: usize, is: &QuantityFinding| {
            // What waits may be decided by it; nothing that was decided is laid before a person anew.
            let waits = found.quantities[ask].verdict == Verdict::Unclear;
            !picks.contains_key(&ask) && (waits || is.verdict != Verdict::Unclear) && differs(&found.quantities[ask], is)
        };
        let quantities = findings.into_iter().enumerate().filter(|(ask, is)| is_other(*ask, is)).map(|(_, is)| is).collect();
        let is_decided_otherwise =
            |was: &CriterionFinding, is: &CriterionFinding| was.outcome != is.outcome && is.outcome != Outcome::Review;
        Consequence {
            picks: choice.iter().map(|(ask, candidate, _)| (drill.asks[*ask].id.clone(), *candidate)).collect(),
            quantities,
            separate: found.separate.iter().zip(shown).filter(|(was, is)| was.found != is.found).map(|(_, is)| is).collect(),
            criteria: found.criteria.iter().zip(weighed).filter(|(was, is)| is_decided_otherwise(was, is)).map(|(_, is)| is).collect(),
        }
    }
}

/// Every choice among the values of unclear asks.
fn choices(open: &[(usize, Vec<usize>)]) -> Vec<Vec<Pick>> {
    let picks = |ask: usize, numbers: &[usize]| numbers.iter().enumerate().map(|(at, number)| (ask, at, *number)).collect::<Vec<Pick>>();
    let all = open.iter().try_fold(1_usize, |all, (_, numbers)| all.checked_mul(numbers.len() + 1)).unwrap_or(usize::MAX);
    if all > MOST {
        return open.iter().flat_map(|(ask, numbers)| picks(*ask, numbers)).map(|pick| vec![pick]).take(MOST_ALONE).collect();
    }
    let mut choices: Vec<Vec<Pick>> = vec![Vec::new()];
    for (ask, numbers) in open {
        let picks = picks(*ask, numbers);
        let longer: Vec<Vec<Pick>> =
            choices.iter().flat_map(|choice| picks.iter().map(|pick| [choice.as_slice(), &[*pick]].concat())).collect();
        choices.extend(longer);
    }
    choices.retain(|choice| !choice.is_empty());
    choices
}

fn differs(was: &QuantityFinding, is: &QuantityFinding) -> bool {
    let codes = |finding: &QuantityFinding| finding.notes.iter().map(|note| note.code()).collect::<Vec<_>>();
    was.verdict != is.verdict
        || was.points.awarded != is.points.awarded
        || was.reading != is.reading
        || was.mistake != is.mistake
        || was.carried_from != is.carried_from
        || was.weighed != is.weighed
        || codes(was) != codes(is)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{self, Kind};
    use crate::drill::Library;
    use crate::grade::{self, align, stage};
    use crate::recognize;

    #[test]
    fn choices_are_all_combinations_or_one_at_a_time() {
        let told = |open: &[(usize, Vec<usize>)]| format!("{:?}", choices(open));
        assert_eq!(told(&[(1, vec![7, 8])]), "[[(1, 0, 7)], [(1, 1, 8)]]");
        assert_eq!(told(&[(1, vec![7]), (2, vec![9])]), "[[(1, 0, 7)], [(2, 0, 9)], [(1, 0, 7), (2, 0, 9)]]");
        let many: Vec<(usize, Vec<usize>)> = (0..9).map(|ask| (ask, vec![1, 2, 3])).collect();
        assert!(choices(&many).iter().all(|choice| choice.len() == 1) && choices(&many).len() == 27);
    }

    #[test]
    fn criteria_come_out_for_a_choice_as_if_nothing_was_known_of_them() {
        let drill = Library::built_in().load("communication-budget").expect("it is built in");
        let grader = Grader::new(&drill);
        let text = "## (a)\n\nS = 2.6 GB or 5.2 GB\n\n## (b)\n\nlatency 1.24 ms or 1.28 ms, bandwidth 201.5 ms, total 202.74 ms\n\n\
                    ## (d)\n\n50.7 % of the compute or 33.6 % of the step. It can hide behind the backward pass, which takes 267 ms, \
                    so data parallelism is still fine.\n";
        let answer = Answer::read("a.md", text, Kind::Markdown);
        let mut recognized = recognize::read(&answer, &drill.units, &grader.symbols);
        let sections = answer::divide(&answer, &grader.outline);
        let scene = stage::lay_out(&grader, &answer, &sections, &mut recognized);
        let alignment = align::align(&scene, &grader);
        let memory = Memory::of(drill.asks.len());
        let decide = |picks: &Picks, known: Option<&Decided>| {
            let heard = verdicts::judge_all(&grader, &answer, &scene, &alignment, &memory, picks);
            let findings = grader.findings(&answer, &scene, &alignment, &memory, &heard);
            let shown = separate::find(&drill, &heard, &findings);
            let pieces = Pieces::new(&grader, &scene, &recognized);
            let known = known.map(|known| format!("{:?}", criteria::decide(&grader, &pieces, &heard, &shown, Some(known)).decisions()));
            let anew = format!("{:?}", criteria::decide(&grader, &pieces, &heard, &shown, None).decisions());
            assert!(known.is_none_or(|known| known == anew), "{picks:?}");
            heard
        };
        let heard = decide(&Picks::new(), None);
        let open = |(ask, heard): (usize, &Heard)| match heard {
            Heard::Open(numbers, _) => Some((ask, numbers.clone())),
            _ => None,
        };
        let open: Vec<(usize, Vec<usize>)> = heard.iter().enumerate().filter_map(open).collect();
        assert!(!open.is_empty(), "something is to be chosen");
        let pieces = Pieces::new(&grader, &scene, &recognized);
        let decided = criteria::decide(&grader, &pieces, &heard, &[], None);
        for choice in choices(&open) {
            decide(&choice.iter().map(|(ask, _, number)| (*ask, *number)).collect(), Some(&decided));
        }
    }

    #[test]
    fn what_is_worked_out_from_a_value_follows_the_choice() {
        let drill = Library::built_in().load("communication-budget").expect("it is built in");
        let text = "## (a)\n\nS = 2.6 GB or 5.2 GB\n\n## (b)\n\nlatency 1.24 ms, bandwidth 403 ms, total 404.24 ms\n";
        let grade = grade::grade(&drill, &Answer::read("a.md", text, Kind::Markdown));
        let told: Vec<String> = grade
            .consequences
            .iter()
            .map(|one| {
                let verdicts = one.quantities.iter().map(|finding| format!("{} {}", finding.ask, finding.verdict.code()));
                format!("{:?}: {}", one.picks, verdicts.collect::<Vec<_>>().join(", "))
            })
            .collect();
        let bandwidth = grade.quantities.iter().find(|finding| finding.ask == "b.bandwidth").expect("it is asked");
        assert!(matches!(bandwidth.verdict, Verdict::Slip | Verdict::Wrong), "{bandwidth:?}");
        assert!(
            told.iter().any(|line| line.starts_with("[(\"a.bytes\", 1)]: ") && line.contains("b.bandwidth carried_forward")),
            "{told:?}"
        );
        assert!(told.iter().all(|line| !line.starts_with("[(\"a.bytes\", 0)]: ") || !line.contains("b.bandwidth carried")), "{told:?}");
        let plain = grade::grade(&drill, &Answer::read("a.md", text.replace(" or 5.2 GB", ""), Kind::Markdown));
        assert!(plain.consequences.is_empty(), "nothing is to be chosen");
    }
}
