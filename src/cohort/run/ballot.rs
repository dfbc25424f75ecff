//! Which drill a class answers, where nobody named one: a sample of its answers says. What most of them are to is then
//! what the others are taken for, unless their words name another.

use std::cmp::Reverse;

use super::work::{self, Jobs};
use crate::answer::Answer;
use crate::cohort::Trouble;
use crate::cohort::collect::Class;
use crate::drill::Finder;
use crate::grade::{self, Grader};

/// So many answers are asked at most.
const SAMPLE: usize = 60;
/// Fewer answers than this are no class.
const FEWEST: usize = 2;

/// What the answers of a sample are to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ballot {
    /// The drills that were found, by their places, and in how many answers: the most frequent first.
    pub(super) votes: Vec<(usize, usize)>,
}

impl Ballot {
    /// Asks a sample of the class, the same one every time.
    pub(super) fn of(class: &Class, finder: &Finder, graders: &[Grader<'_>]) -> Result<Ballot, Trouble> {
        let all = class.submissions.len();
        let step = all.div_ceil(SAMPLE).max(1);
        let mut counts = vec![0; graders.len()];
        for job in Jobs::new(class)?.filter(|job| job.at % step == 0) {
            let found = work::guarded(|| {
                let text = job.text(class)?;
                let answer =
                    Answer::read_bytes(text.name.as_str(), &text.bytes, text.kind, work::LARGEST).map_err(|error| error.to_string())?;
                Ok(drill_of(finder, graders, &answer))
            });
            if let Ok(Some(at)) = found {
                counts[at] += 1;
            }
        }
        let mut votes: Vec<(usize, usize)> = counts.into_iter().enumerate().filter(|(_, count)| *count > 0).collect();
        votes.sort_by_key(|&(at, count)| (Reverse(count), at));
        Ok(Ballot { votes })
    }

    /// The drill of more than half of those that are plainly to any.
    pub(super) fn usual(&self) -> Option<usize> {
        let all: usize = self.votes.iter().map(|(_, count)| count).sum();
        self.votes.first().filter(|(_, count)| *count >= FEWEST && 2 * count > all).map(|(at, _)| *at)
    }
}

fn drill_of(finder: &Finder, graders: &[Grader<'_>], answer: &Answer) -> Option<usize> {
    match finder.candidates(answer).as_slice() {
        [sure] => Some(*sure),
        several => {
            let by: Vec<&Grader<'_>> = several.iter().map(|at| &graders[*at]).collect();
            let (drill, _) = grade::best(&by, answer)?;
            graders.iter().position(|grader| std::ptr::eq(grader.drill(), drill))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_half_decide() {
        for (votes, usual) in
            [(&[][..], None), (&[(3, 1)], None), (&[(3, 2)], Some(3)), (&[(3, 2), (1, 2)], None), (&[(3, 3), (1, 2)], Some(3))]
        {
            assert_eq!(Ballot { votes: votes.to_vec() }.usual(), usual, "{votes:?}");
        }
    }
}
