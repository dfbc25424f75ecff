//! From what an author says about how criteria count together to a scheme, or to everything that is wrong with it.

use std::collections::BTreeMap;

use super::fields::{Report, Text};
use super::file::{CapFile, CriterionFile};
use super::scheme::{Cap, Condition, Scheme, Worth};
use super::{Drill, Level};
use crate::diagnostic;
use crate::text::Span;

/// The share for being met partly, where the author says nothing.
const HALF: f64 = 0.5;

/// Checks how the criteria of a rubric count together.
pub(super) fn scheme(files: &[CriterionFile], caps: &[CapFile], drill: &Drill, report: &Report) -> Scheme {
    let checker = Checker { files, drill, report };
    let worths: Vec<Worth> = files.iter().map(|file| checker.worth(file)).collect();
    checker.no_circle(&worths);
    checker.groups();
    let caps = checker.caps(caps);
    Scheme { worths, caps }
}

/// The levels of a criterion.
pub(super) fn levels(file: &CriterionFile, report: &Report) -> Vec<Level> {
    for level in &file.levels {
        if !(0.0..1.0).contains(&level.share.value) || level.share.value == 0.0 {
            let found = report.error("out-of-range", level.share.span, "a level lies between nothing and all of the points");
            found.help("write a share between 0 and 1; all of it is `met`, nothing is `not_met`");
        }
    }
    file.levels.iter().map(|level| Level { share: level.share.value, says: level.says.value.clone() }).collect()
}

struct Checker<'a, 's> {
    files: &'a [CriterionFile],
    drill: &'a Drill,
    report: &'a Report<'s>,
}

impl Checker<'_, '_> {
    fn worth(&self, file: &CriterionFile) -> Worth {
        Worth {
            points: file.points.value,
            deducts: file.deducts,
            partly: self.partly(file),
            only_if: file.only_if.as_ref().and_then(|text| self.condition(file, text)),
            either: file.either.as_ref().map(|group| group.value.clone()),
        }
    }

    /// The share for being met partly: as it is said, or of the level in the middle.
    fn partly(&self, file: &CriterionFile) -> f64 {
        let of_separate = file.separate.as_ref().and_then(|separate| separate.partly);
        let Some(figure) = of_separate.or(file.partly_share) else {
            return file.levels.get(file.levels.len() / 2).map_or(HALF, |level| level.share.value);
        };
        if !(0.0..=1.0).contains(&figure.value) {
            self.report.error("out-of-range", figure.span, "a share lies between 0 and 1");
        }
        figure.value
    }

    /// `b.separate`, `b.separate is met`, `b.separate is partly met`, `b.total is right`.
    fn condition(&self, file: &CriterionFile, text: &Text) -> Option<Condition> {
        let mut words = text.value.split_whitespace();
        let id = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        let at = self.files.iter().position(|other| other.id.value == id);
        if at.is_some() && id == file.id.value {
            self.report.error("cycle", text.span, format!("`{id}` cannot wait for itself"));
            return None;
        }
        let is_ask = self.drill.ask(id).is_some();
        match (rest.as_slice(), at) {
            ([] | ["is", "met"], Some(at)) => Some(Condition::Met(at)),
            (["is", "partly", "met"], Some(at)) => Some(Condition::PartlyMet(at)),
            ([] | ["is", "right"], None) if is_ask => Some(Condition::Right(id.to_owned())),
            (_, at) => {
                let known = self.files.iter().map(|file| file.id.value.as_str()).chain(self.drill.asks.iter().map(|ask| ask.id.as_str()));
                let found = if at.is_none() && !is_ask {
                    let title = format!("neither a criterion nor an ask is called `{id}`");
                    self.report.error("unknown-condition", text.span, title)
                } else {
                    self.report.error("unknown-condition", text.span, format!("`{}` is no condition", text.value))
                };
                let near = if at.is_none() && !is_ask { diagnostic::nearest(id, known) } else { None };
                found.did_you_mean(near, || "a condition is `CRITERION is met`, `CRITERION is partly met` or `ASK is right`".to_owned());
                None
            }
        }
    }

    /// Conditions that wait for each other never hold.
    fn no_circle(&self, worths: &[Worth]) {
        let next = |at: usize| match worths[at].only_if {
            Some(Condition::Met(on) | Condition::PartlyMet(on)) => Some(on),
            _ => None,
        };
        for (start, file) in self.files.iter().enumerate() {
            let mut at = next(start);
            let mut steps = 0;
            while let Some(on) = at.filter(|&on| on != start && steps <= worths.len()) {
                (at, steps) = (next(on), steps + 1);
            }
            // Each circle is told once, at its first criterion.
            let is_first = || {
                let mut on = next(start);
                while let Some(other) = on.filter(|&other| other != start) {
                    if other < start {
                        return false;
                    }
                    on = next(other);
                }
                true
            };
            if at == Some(start)
                && is_first()
                && let Some(text) = &file.only_if
            {
                self.report.error("cycle", text.span, format!("`{}` waits for itself", file.id.value));
            }
        }
    }

    /// Alternatives are several, and none takes points away.
    fn groups(&self) {
        let mut groups: BTreeMap<&str, Vec<&CriterionFile>> = BTreeMap::new();
        for file in self.files {
            if let Some(group) = &file.either {
                groups.entry(&group.value).or_default().push(file);
                if file.deducts {
                    self.report.error("bad-criterion", group.span, "a deduction is no alternative to anything");
                }
            }
        }
        for (group, members) in groups {
            if let [file] = members.as_slice()
                && let Some(text) = &file.either
            {
                let near = diagnostic::nearest(
                    group,
                    self.files
                        .iter()
                        .filter_map(|file| file.either.as_ref())
                        .map(|text| text.value.as_str())
                        .filter(|other| *other != group),
                );
                let found = self.report.error("bad-criterion", text.span, format!("nothing else is an alternative of `{group}`"));
                found.did_you_mean(near, || "give its alternative the same `either`".to_owned());
            }
        }
    }

    fn caps(&self, files: &[CapFile]) -> Vec<Cap> {
        let mut capped: BTreeMap<usize, Span> = BTreeMap::new();
        let mut caps = Vec::new();
        for cap in files {
            if cap.of.len() < 2 {
                self.report.error("missing-key", cap.span, "a cap is over at least two criteria: `of = [\"ONE\", \"ANOTHER\"]`");
            }
            if cap.at_most.value <= 0.0 {
                self.report.error("out-of-range", cap.at_most.span, "a cap leaves some points to be had");
            }
            let mut of = Vec::new();
            for id in &cap.of {
                let Some(at) = self.files.iter().position(|file| file.id.value == id.value) else {
                    let near = diagnostic::nearest(&id.value, self.files.iter().map(|file| file.id.value.as_str()));
                    let found = self.report.error("unknown-criterion", id.span, format!("no criterion is called `{}`", id.value));
                    found.did_you_mean(near, || "a cap names criteria of this rubric".to_owned());
                    continue;
                };
                if self.files[at].deducts {
                    self.report.error("bad-criterion", id.span, "a deduction is not under a cap");
                } else if let Some(first) = capped.insert(at, id.span) {
                    let found = self.report.error("bad-criterion", id.span, format!("`{}` stands under a cap already", id.value));
                    found.also(first, "the first");
                } else {
                    of.push(at);
                }
            }
            of.sort_unstable();
            self.whole_groups(cap, &of);
            caps.push(Cap { of, at_most: cap.at_most.value });
        }
        caps
    }

    /// Alternatives stand under a cap together or not at all.
    fn whole_groups(&self, cap: &CapFile, of: &[usize]) {
        let group = |at: usize| self.files[at].either.as_ref().map(|group| group.value.as_str());
        for (at, file) in self.files.iter().enumerate().filter(|(at, _)| !of.contains(at)) {
            if let Some(group_of) = group(at)
                && of.iter().any(|&member| group(member) == Some(group_of))
            {
                let title = format!("the alternatives of `{group_of}` stand under the cap only in part");
                let found = self.report.error("bad-criterion", cap.span, title).also(file.id.span, "this one does not");
                found.help(format!("add `{}` to `of`", file.id.value));
            }
        }
    }
}
