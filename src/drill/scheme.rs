//! What outcomes come to in points: shares, conditions, alternatives, caps and deductions.
//!
//! A scheme is plain data, so that a run can keep it and a person's decisions can be counted without the rubric at hand.
//! Whatever happens, `awarded + lost + pending = possible` holds for each criterion and for the whole, and what is
//! possible never depends on the answer.

use serde::{Deserialize, Serialize};

use super::Outcome;

/// How the criteria of a rubric are counted, in the order of the rubric.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scheme {
    /// One for each criterion.
    pub worths: Vec<Worth>,
    /// Criteria that together earn no more than so much; no criterion stands in two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<Cap>,
}

/// What one criterion is worth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Worth {
    /// Its points; of a deduction, what is taken away.
    pub points: f64,
    /// Whether being met takes points away.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deducts: bool,
    /// The share of its points that being met partly is worth, where nothing else is said.
    pub partly: f64,
    /// What has to hold for it to count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_if: Option<Condition>,
    /// The name of its group, of which the best alone counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub either: Option<String>,
}

/// What has to hold for a criterion to count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// Another criterion is met, and counts itself.
    Met(usize),
    /// Another criterion is met at least partly, and counts itself.
    PartlyMet(usize),
    /// An ask is answered rightly.
    Right(String),
}

/// Criteria that together earn no more than so much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cap {
    /// Their places in the rubric, ascending.
    pub of: Vec<usize>,
    /// Points.
    pub at_most: f64,
}

/// How a criterion turned out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// How it is met.
    pub outcome: Outcome,
    /// The share of its points, where a person chose a level; otherwise the outcome says it.
    pub share: Option<f64>,
}

/// The points of a criterion after everything is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Earned {
    /// Earned; of a deduction, below zero.
    pub awarded: f64,
    /// What it adds to the points that can be had.
    pub possible: f64,
    /// Left to a person.
    pub pending: f64,
    /// Whether it earns nothing because what it depends on does not hold.
    pub withheld: bool,
}

impl Worth {
    /// The share of the points that an outcome is worth.
    pub fn share(&self, standing: Standing) -> f64 {
        match standing.outcome {
            Outcome::Met => 1.0,
            Outcome::Partly => standing.share.unwrap_or(self.partly),
            Outcome::NotMet | Outcome::Review => 0.0,
        }
    }
}

impl Scheme {
    /// What each criterion adds to the points that can be had.
    pub fn worth(&self) -> Vec<f64> {
        let nothing = vec![Standing { outcome: Outcome::NotMet, share: None }; self.worths.len()];
        self.settle(&nothing, 0.0, &|_| Some(true)).iter().map(|earned| earned.possible).collect()
    }

    /// What a perfect answer earns by the criteria.
    pub fn possible(&self) -> f64 {
        self.worth().iter().sum()
    }

    /// Counts everything. `values` is what the asks have earned, from which deductions take; `right` says whether an ask
    /// is answered rightly, where that is known.
    pub fn settle(&self, standings: &[Standing], values: f64, right: &dyn Fn(&str) -> Option<bool>) -> Vec<Earned> {
        let mut earned: Vec<Earned> = (0..self.worths.len()).map(|at| self.alone(at, standings, right)).collect();
        let mut groups: Vec<&str> = self.worths.iter().filter_map(|worth| worth.either.as_deref()).collect();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            let members = (0..self.worths.len()).filter(|&at| self.worths[at].either.as_deref() == Some(group));
            better_counts(&mut earned, members.collect());
        }
        for cap in &self.caps {
            cut(&mut earned, &cap.of, cap.at_most);
        }
        self.deduct(&mut earned, values);
        earned
    }

    /// A criterion by itself.
    fn alone(&self, at: usize, standings: &[Standing], right: &dyn Fn(&str) -> Option<bool>) -> Earned {
        let (worth, standing) = (&self.worths[at], standings[at]);
        let possible = if worth.deducts { 0.0 } else { worth.points };
        let holds = self.holds(at, standings, right, self.worths.len());
        if holds == Some(false) {
            return Earned { possible, withheld: true, ..Earned::default() };
        }
        let is_open = standing.outcome == Outcome::Review;
        let stake = if is_open { worth.points } else { worth.points * worth.share(standing) };
        let is_certain = holds == Some(true) && !is_open;
        match (worth.deducts, is_certain) {
            (false, true) => Earned { awarded: stake, possible, ..Earned::default() },
            (false, false) => Earned { pending: stake, possible, ..Earned::default() },
            (true, true) => Earned { awarded: 0.0 - stake, ..Earned::default() },
            // What may be taken away counts as not yet earned.
            (true, false) => Earned { awarded: 0.0 - stake, pending: stake, ..Earned::default() },
        }
    }

    /// Whether what a criterion depends on holds, where that is known. Conditions come back to no criterion, so `depth`
    /// never runs out.
    fn holds(&self, at: usize, standings: &[Standing], right: &dyn Fn(&str) -> Option<bool>, depth: usize) -> Option<bool> {
        let (on, is_enough): (usize, fn(Outcome) -> bool) = match &self.worths[at].only_if {
            None => return Some(true),
            Some(Condition::Right(ask)) => return right(ask),
            Some(Condition::Met(on)) => (*on, |outcome| outcome == Outcome::Met),
            Some(Condition::PartlyMet(on)) => (*on, |outcome| matches!(outcome, Outcome::Met | Outcome::Partly)),
        };
        let itself = match standings[on].outcome {
            Outcome::Review => None,
            outcome => Some(is_enough(outcome)),
        };
        let before = self.holds(on, standings, right, depth.checked_sub(1)?);
        match (itself, before) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    /// Takes deductions from what there is, never more.
    fn deduct(&self, earned: &mut [Earned], values: f64) {
        let mut left = values + earned.iter().map(|earned| earned.awarded.max(0.0)).sum::<f64>();
        for earned in earned.iter_mut().filter(|earned| earned.awarded < 0.0) {
            // Adding zero turns a negative zero into a plain one.
            earned.awarded = earned.awarded.max(-left) + 0.0;
            earned.pending = earned.pending.min(-earned.awarded) + 0.0;
            left += earned.awarded;
        }
    }
}

/// Of alternatives only the best counts: together they are worth what the most valuable is worth.
fn better_counts(earned: &mut [Earned], mut members: Vec<usize>) {
    // The best first; of equals, the first of the rubric.
    members.sort_by(|&a, &b| earned[b].awarded.total_cmp(&earned[a].awarded).then(a.cmp(&b)));
    let most = |of: fn(&Earned) -> f64| members.iter().map(|&at| of(&earned[at])).fold(0.0, f64::max);
    let (awarded, possible) = (most(|earned| earned.awarded), most(|earned| earned.possible));
    let best = most(|earned| earned.awarded + earned.pending);
    share_out(earned, &members, Earned { awarded, possible, pending: best - awarded, withheld: false });
}

/// Together no more than so much.
fn cut(earned: &mut [Earned], members: &[usize], at_most: f64) {
    let sum = |of: fn(&Earned) -> f64| members.iter().map(|&at| of(&earned[at])).sum::<f64>().min(at_most);
    let (awarded, possible) = (sum(|earned| earned.awarded), sum(|earned| earned.possible));
    let best = sum(|earned| earned.awarded + earned.pending);
    share_out(earned, members, Earned { awarded, possible, pending: best - awarded, withheld: false });
}

/// Shares the points of a group out among its members, the first first, none getting more than it has.
fn share_out(earned: &mut [Earned], members: &[usize], mut group: Earned) {
    let own: Vec<Earned> = members.iter().map(|&at| earned[at]).collect();
    let take = |from: &mut f64, at_most: f64| {
        let taken = at_most.min(*from).max(0.0);
        *from -= taken;
        taken
    };
    for (&at, own) in members.iter().zip(&own) {
        earned[at].awarded = take(&mut group.awarded, own.awarded);
        earned[at].pending = take(&mut group.pending, own.pending);
    }
    for &at in members {
        let settled = earned[at].awarded + earned[at].pending;
        earned[at].possible = settled;
        group.possible -= settled;
    }
    for (&at, own) in members.iter().zip(&own) {
        let room = own.possible - earned[at].possible;
        earned[at].possible += take(&mut group.possible, room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MET: Standing = Standing { outcome: Outcome::Met, share: None };
    const PARTLY: Standing = Standing { outcome: Outcome::Partly, share: None };
    const NOT_MET: Standing = Standing { outcome: Outcome::NotMet, share: None };
    const OPEN: Standing = Standing { outcome: Outcome::Review, share: None };

    fn worth(points: f64) -> Worth {
        Worth { points, partly: 0.5, ..Worth::default() }
    }

    /// `awarded/pending/possible` of each criterion.
    fn told(scheme: &Scheme, standings: &[Standing], values: f64) -> String {
        let earned = scheme.settle(standings, values, &|ask| Some(ask == "right"));
        earned.iter().map(|earned| format!("{}/{}/{}", earned.awarded, earned.pending, earned.possible)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn shares_and_levels() {
        let scheme = Scheme { worths: vec![worth(4.0); 5], caps: Vec::new() };
        let level = Standing { outcome: Outcome::Partly, share: Some(0.75) };
        assert_eq!(told(&scheme, &[MET, PARTLY, level, NOT_MET, OPEN], 0.0), "4/0/4 2/0/4 3/0/4 0/0/4 0/4/4");
    }

    #[test]
    fn what_depends_on_something_waits_for_it_and_falls_with_it() {
        let on = |at| Worth { only_if: Some(Condition::Met(at)), ..worth(2.0) };
        let scheme = Scheme { worths: vec![worth(1.0), on(0), on(1)], caps: Vec::new() };
        assert_eq!(told(&scheme, &[MET, MET, PARTLY], 0.0), "1/0/1 2/0/2 1/0/2");
        assert_eq!(told(&scheme, &[PARTLY, MET, MET], 0.0), "0.5/0/1 0/0/2 0/0/2");
        assert_eq!(told(&scheme, &[OPEN, MET, PARTLY], 0.0), "0/1/1 0/2/2 0/1/2");
        let partly = Scheme { worths: vec![worth(1.0), Worth { only_if: Some(Condition::PartlyMet(0)), ..worth(2.0) }], caps: Vec::new() };
        assert_eq!(told(&partly, &[PARTLY, MET], 0.0), "0.5/0/1 2/0/2");
        let right = |ask: &str| Worth { only_if: Some(Condition::Right(ask.to_owned())), ..worth(2.0) };
        assert_eq!(told(&Scheme { worths: vec![right("right"), right("wrong")], caps: Vec::new() }, &[MET, MET], 0.0), "2/0/2 0/0/2");
    }

    #[test]
    fn of_alternatives_the_best_counts() {
        let or = |points| Worth { either: Some("way".to_owned()), ..worth(points) };
        let scheme = Scheme { worths: vec![or(4.0), or(3.0), worth(1.0)], caps: Vec::new() };
        assert_eq!(scheme.possible(), 5.0);
        assert_eq!(told(&scheme, &[NOT_MET, MET, MET], 0.0), "0/0/1 3/0/3 1/0/1");
        assert_eq!(told(&scheme, &[PARTLY, OPEN, MET], 0.0), "2/0/3 0/1/1 1/0/1");
        assert_eq!(told(&scheme, &[MET, OPEN, MET], 0.0), "4/0/4 0/0/0 1/0/1");
    }

    #[test]
    fn a_cap_holds() {
        let scheme = Scheme { worths: vec![worth(3.0); 3], caps: vec![Cap { of: vec![0, 1, 2], at_most: 5.0 }] };
        assert_eq!(scheme.possible(), 5.0);
        assert_eq!(told(&scheme, &[MET, MET, MET], 0.0), "3/0/3 2/0/2 0/0/0");
        assert_eq!(told(&scheme, &[MET, OPEN, NOT_MET], 0.0), "3/0/3 0/2/2 0/0/0");
        assert_eq!(told(&scheme, &[NOT_MET, NOT_MET, MET], 0.0), "0/0/2 0/0/0 3/0/3");
    }

    #[test]
    fn deductions_take_only_what_there_is() {
        let scheme = Scheme { worths: vec![worth(1.0), Worth { deducts: true, ..worth(2.0) }], caps: Vec::new() };
        assert_eq!(scheme.possible(), 1.0);
        assert_eq!(told(&scheme, &[MET, MET], 3.0), "1/0/1 -2/0/0");
        assert_eq!(told(&scheme, &[MET, MET], 0.0), "1/0/1 -1/0/0");
        assert_eq!(told(&scheme, &[MET, OPEN], 3.0), "1/0/1 -2/2/0");
        assert_eq!(told(&scheme, &[NOT_MET, OPEN], 0.0), "0/0/1 0/0/0");
        assert_eq!(told(&scheme, &[MET, NOT_MET], 0.0), "1/0/1 0/0/0");
    }

    fn schemes() -> impl Strategy<Value = (Scheme, Vec<Standing>)> {
        let one = (0_u8..9, any::<bool>(), 0_u8..6, 0_u8..3, 0_usize..5);
        proptest::collection::vec(one, 1..8).prop_map(|rows| {
            let count = rows.len();
            let (mut worths, mut standings) = (Vec::new(), Vec::new());
            for (at, (points, deducts, needs, group, outcome)) in rows.into_iter().enumerate() {
                let only_if = match needs {
                    0 if at > 0 => Some(Condition::Met(at - 1)),
                    1 if at > 0 => Some(Condition::PartlyMet(0)),
                    2 => Some(Condition::Right("right".to_owned())),
                    3 => Some(Condition::Right("unknown".to_owned())),
                    _ => None,
                };
                let deducts = deducts && at % 3 == 2;
                // The first half may be alternatives, the second half may be capped.
                let either = (group > 0 && !deducts && at * 2 < count).then(|| group.to_string());
                worths.push(Worth { points: f64::from(points) / 2.0, deducts, partly: 0.5, only_if, either });
                let level = Standing { outcome: Outcome::Partly, share: Some(0.25) };
                standings.push([MET, PARTLY, NOT_MET, OPEN, level][outcome]);
            }
            let of: Vec<usize> = (0..count).filter(|&at| at * 2 >= count && !worths[at].deducts).collect();
            (Scheme { worths, caps: vec![Cap { of, at_most: 3.0 }] }, standings)
        })
    }

    proptest! {
        #[test]
        fn points_add_up_whatever_happens((scheme, standings) in schemes(), values in 0_u8..5) {
            let right = |ask: &str| (ask == "right").then_some(true);
            let earned = scheme.settle(&standings, f64::from(values), &right);
            let sum = |of: fn(&Earned) -> f64| earned.iter().map(of).sum::<f64>();
            let (awarded, pending, possible) = (sum(|e| e.awarded), sum(|e| e.pending), sum(|e| e.possible));
            prop_assert!((possible - scheme.possible()).abs() < 1e-9, "{} {}", possible, scheme.possible());
            prop_assert!(awarded + f64::from(values) > -1e-9 && pending > -1e-9);
            prop_assert!(awarded + pending < possible + 1e-9, "{awarded} + {pending} > {possible}");
            for (one, worth) in earned.iter().zip(&scheme.worths) {
                let lost = one.possible - one.awarded - one.pending;
                prop_assert!(lost > -1e-9 && one.pending > -1e-9, "{one:?}");
                prop_assert!(worth.deducts || one.awarded > -1e-9, "{one:?}");
            }
        }
    }
}
