//! Rows and columns of tables, and keys of structured answers, that name a part.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::smallvec;

use crate::answer::divide::label::{self, Style};
use crate::answer::divide::marks::Mark;
use crate::answer::divide::topic::Topics;
use crate::answer::divide::{Certainty, Outline, Target, Targets};
use crate::answer::heads;
use crate::answer::{Answer, Block, Role};

/// What a block belongs to, apart from the text around it.
pub(super) struct Owner {
    /// Blocks of one group make one section.
    pub(super) group: usize,
    pub(super) targets: Targets,
    pub(super) certainty: Certainty,
    /// Whether the block is the label.
    pub(super) is_label: bool,
}

/// The blocks of tables and structured answers that belong to a part by their row, column or key.
pub(super) fn owners(answer: &Answer, outline: &Outline, topics: &Topics, marks: &[Mark]) -> BTreeMap<usize, Owner> {
    let mut owners = BTreeMap::new();
    let mut groups = 0;
    let mut at = 0;
    let counted = counted(answer, outline, topics);
    while at < answer.blocks.len() {
        match &answer.blocks[at].role {
            Role::Cell { table, .. } => {
                let end = at
                    + answer.blocks[at..]
                        .iter()
                        .take_while(|block| matches!(&block.role, Role::Cell { table: other, .. } if other == table))
                        .count();
                Table { answer, outline, topics, first: at, end }.owners(marks, &mut groups, &mut owners);
                at = end;
            }
            Role::Entry(keys) => {
                let listed = listed(answer, at, outline, topics);
                if let Some(mut target) = listed.or_else(|| entry(keys, outline, topics)) {
                    if counted.contains(&target.part) {
                        target.item = topics.item(target.part, answer.blocks[at].passage.text(), 6);
                    }
                    let before = at
                        .checked_sub(1)
                        .and_then(|before| owners.get(&before))
                        .filter(|owner: &&Owner| owner.targets.as_slice() == [target]);
                    let group = before.map_or_else(|| next(&mut groups), |owner| owner.group);
                    owners.insert(at, Owner { group, targets: smallvec![target], certainty: Certainty::Sure, is_label: false });
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    join_siblings(answer, &mut groups, &mut owners);
    owners
}

/// Entries that no key of their own gives to a part go with the others of their table, where these all belong to one part: `needs
/// = "…"` beside `percent_of_step` and `efficiency_exposed`.
fn join_siblings(answer: &Answer, groups: &mut usize, owners: &mut BTreeMap<usize, Owner>) {
    let mut parts: BTreeMap<&[String], BTreeSet<usize>> = BTreeMap::new();
    let table = |at: usize| match &answer.blocks[at].role {
        Role::Entry(keys) if keys.len() > 1 => Some(&keys[..keys.len() - 1]),
        _ => None,
    };
    for (at, owner) in owners.iter() {
        if let Some(table) = table(*at) {
            parts.entry(table).or_default().extend(owner.targets.iter().map(|target| target.part));
        }
    }
    for at in 0..answer.blocks.len() {
        let Some(known) = table(at).filter(|_| !owners.contains_key(&at)).and_then(|table| parts.get(table)) else { continue };
        let mut known = known.iter();
        if let (Some(&part), None) = (known.next(), known.next()) {
            let targets = smallvec![Target { part, item: None }];
            owners.insert(at, Owner { group: next(groups), targets, certainty: Certainty::Likely, is_label: false });
        }
    }
}

fn next(groups: &mut usize) -> usize {
    *groups += 1;
    *groups
}

/// The item that an entry in a list of tables is about, by what another entry of its table says in words: `[[fix]]` with `name =
/// "accumulation"`.
fn listed(answer: &Answer, index: usize, outline: &Outline, topics: &Topics) -> Option<Target> {
    let Role::Entry(keys) = &answer.blocks[index].role else { return None };
    let number = keys.iter().rposition(|key| key.bytes().all(|byte| byte.is_ascii_digit())).filter(|&at| at > 0 && at + 1 < keys.len())?;
    let siblings = answer.blocks[index.saturating_sub(LIST)..].iter().take(2 * LIST).filter(|block| match &block.role {
        Role::Entry(others) => others.len() == number + 2 && others[..=number] == keys[..=number],
        _ => false,
    });
    let names = |block: &&Block| {
        let Role::Entry(keys) = &block.role else { return false };
        let name = ["name", "title", "fix", "what", "label", "id", "kind", "item", "change", "case", "bucket", "remedy", "option"];
        keys.last().is_some_and(|key| name.contains(&key.to_lowercase().as_str()))
    };
    let text = siblings.clone().find(names).or(siblings.clone().next())?.passage.text();
    let mut found = (0..outline.parts.len()).filter_map(|part| Some(Target { part, item: Some(topics.item(part, text, 6)?) }));
    let only = found.next()?;
    let keyed =
        || keys[..number].iter().find_map(|key| name(key, outline).or_else(|| topics.part(key).map(|part| Target { part, item: None })));
    // Where the words may mean items of two parts, the keys say which.
    match found.next() {
        None => Some(only),
        Some(second) => keyed()
            .and_then(|target| [Some(only), Some(second), found.next()].into_iter().flatten().find(|other| other.part == target.part)),
    }
}

/// So many entries on either side may belong to one table of a list.
const LIST: usize = 12;

/// The parts whose keys count the answers in them (`b1`, `b2`, `f1`, `f2`) and not their items: what stands under some key is
/// about another item than the one of its number.
fn counted(answer: &Answer, outline: &Outline, topics: &Topics) -> BTreeSet<usize> {
    let differs = |index: usize| {
        let Role::Entry(keys) = &answer.blocks[index].role else { return None };
        let [key] = keys.as_slice() else { return None };
        let target = name(key, outline).filter(|target| target.item.is_some() && key.len() == 2)?;
        let told = topics.item(target.part, answer.blocks[index].passage.text(), 6)?;
        (target.item != Some(told)).then_some(target.part)
    };
    (0..answer.blocks.len()).filter_map(differs).collect()
}

/// What the keys of an entry name, from the outermost in.
fn entry(keys: &[String], outline: &Outline, topics: &Topics) -> Option<Target> {
    let mut found: Option<Target> = None;
    // A number names a part only where no letter does: `{"drill3": {"a": …}}`.
    let mut numbered: Option<Target> = None;
    for key in keys {
        let key = key.to_lowercase();
        let bare = ["part", "question", "problem", "task", "exercise", "answer", "q"].iter().fold(key.as_str(), |key, word| {
            key.strip_prefix(word).map_or(key, |rest| if rest.is_empty() { key } else { rest.trim_start_matches(['_', '-', ' ', '.']) })
        });
        let bare = bare.trim_matches(['(', ')', ' ']);
        let named = found.is_none().then(|| name(bare, outline)).flatten();
        if found.is_none() && named.is_none() && numbered.is_none() {
            numbered = number(bare, outline);
        }
        let inside = found.filter(|target| target.item.is_none()).and_then(|target| {
            let items = &outline.parts[target.part].items;
            let number =
                bare.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let by_id = items.iter().position(|item| item.id.eq_ignore_ascii_case(bare));
            let item = by_id.or(number.filter(|&item| item < items.len())).or_else(|| topics.item(target.part, bare, 6))?;
            Some(Target { part: target.part, item: Some(item) })
        });
        found = inside.or(named).or(found);
    }
    found.or(numbered).or_else(|| keys.iter().find_map(|key| topics.part(key).map(|part| Target { part, item: None })))
}

/// `a`, `e1`, `e_1`, `e.1`, `a_bytes`, `e1-ratio`.
fn name(key: &str, outline: &Outline) -> Option<Target> {
    let split: Vec<&str> = key.split(['_', '-', '.', ' ']).collect();
    let joined = split.get(1).map(|second| format!("{}{second}", split[0]));
    for (part, known) in outline.parts.iter().enumerate() {
        for (item, known) in known.items.iter().enumerate() {
            if known.id.eq_ignore_ascii_case(split[0]) || joined.as_deref().is_some_and(|joined| known.id.eq_ignore_ascii_case(joined)) {
                return Some(Target { part, item: Some(item) });
            }
        }
        // `b2` is the second answer of (b).
        let counts =
            split[0].strip_prefix(known.id.as_str()).is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|c| c.is_ascii_digit()));
        if known.id.eq_ignore_ascii_case(split[0]) || counts {
            return Some(Target { part, item: None });
        }
    }
    None
}

/// A part that a key numbers.
fn number(key: &str, outline: &Outline) -> Option<Target> {
    let part = key.parse::<usize>().ok()?.checked_sub(1)?;
    (part < outline.parts.len()).then_some(Target { part, item: None })
}

/// One table: the blocks from `first` to `end` are its cells.
struct Table<'a> {
    answer: &'a Answer,
    outline: &'a Outline,
    topics: &'a Topics,
    first: usize,
    end: usize,
}

impl Table<'_> {
    fn text(&self, index: usize) -> &str {
        self.answer.blocks[index].passage.text()
    }

    fn place(&self, index: usize) -> (usize, usize, bool) {
        match self.answer.blocks[index].role {
            Role::Cell { row, column, header, .. } => (row, column, header),
            _ => (0, 0, false),
        }
    }

    fn owners(&self, marks: &[Mark], groups: &mut usize, owners: &mut BTreeMap<usize, Owner>) {
        let around = marks[..marks.partition_point(|mark| mark.block <= self.first)]
            .last()
            .and_then(|mark| mark.targets.first())
            .map(|target| target.part);
        let columns = self.columns();
        if columns.len() >= 2 {
            let column_groups: BTreeMap<usize, usize> = columns.keys().map(|&column| (column, next(groups))).collect();
            for index in self.first..self.end {
                let (row, column, _) = self.place(index);
                if let (Some(target), Some(&group)) = (columns.get(&column), column_groups.get(&column)) {
                    owners.insert(index, Owner { group, targets: smallvec![*target], certainty: Certainty::Sure, is_label: row == 0 });
                }
            }
            return;
        }
        let mut rows: BTreeMap<usize, Target> = BTreeMap::new();
        // The rows that have a first cell, with what that names by its topic.
        let mut order: Vec<(usize, Option<Target>)> = Vec::new();
        let mut exact = false;
        // Rows with a first cell that names no part.
        let mut unnamed = 0;
        let mut at = self.first;
        while at < self.end {
            let (row, column, header) = self.place(at);
            let cells = at..at + (at..self.end).take_while(|&index| self.place(index).0 == row).count();
            if column == 0 && !header {
                match self.row(cells.clone(), around) {
                    Some((target, sure)) => {
                        exact |= sure;
                        rows.insert(row, target);
                        let by_topic = self.label(self.text(cells.start).trim()).is_none();
                        order.push((row, Some(target).filter(|_| by_topic)));
                    }
                    None => {
                        unnamed += 1;
                        order.push((row, None));
                    }
                }
            }
            at = cells.end;
        }
        // A column of parts says so.
        let head =
            (self.first..self.end).find(|&index| self.place(index) == (0, 0, true)).map(|index| self.text(index).trim().to_lowercase());
        exact |=
            head.is_some_and(|head| matches!(head.as_str(), "part" | "question" | "q" | "task" | "problem" | "teil" | "aufgabe" | "item"));
        let all = rows.len() * 5 >= unnamed * 3;
        let ascending = all && rows.values().zip(rows.values().skip(1)).all(|(before, after)| before.part <= after.part);
        if !(exact && !rows.is_empty() || rows.len() >= 3 && ascending) {
            return;
        }
        self.complete(&order, &mut rows);
        // A table of names and values may go on about an item in the rows below.
        let wide = (self.first..self.end).any(|index| self.place(index).1 > 1);
        let mut last: Option<(Target, usize)> = None;
        for index in self.first..self.end {
            let (row, column, header) = self.place(index);
            if header {
                continue;
            }
            // A row that is called something else is not the item of the row above: `50 MB` below `25 MB`.
            if column == 0
                && !rows.contains_key(&row)
                && (wide || self.text(index).starts_with(|c: char| c.is_ascii_digit()))
                && let Some((Target { part, item: Some(_) }, _)) = last
            {
                last = Some((Target { part, item: None }, next(groups)));
            }
            match rows.get(&row) {
                Some(&target) if column == 0 || last.is_none_or(|(known, _)| known != target) => {
                    let group = last.filter(|(known, _)| *known == target).map_or_else(|| next(groups), |(_, group)| group);
                    last = Some((target, group));
                }
                _ => {}
            }
            if let Some((target, group)) = last {
                owners.insert(
                    index,
                    Owner {
                        group,
                        targets: smallvec![target],
                        certainty: Certainty::Sure,
                        is_label: column == 0 && rows.contains_key(&row),
                    },
                );
            }
        }
    }

    /// Rows for the items of a part, most of which name theirs: where they stand in the order of the items, the others are those
    /// that are missing, and otherwise they belong to no item.
    fn complete(&self, order: &[(usize, Option<Target>)], rows: &mut BTreeMap<usize, Target>) {
        let named: Vec<Target> = order.iter().filter_map(|(_, target)| *target).collect();
        let Some(part) = named.first().map(|target| target.part) else { return };
        if named.iter().any(|target| target.part != part || target.item.is_none()) || rows.len() > named.len() {
            return;
        }
        let items = self.outline.parts[part].items.len();
        // The state before the changes may come first.
        let in_order = [0, 1].into_iter().find(|skip| {
            order.len() == items + skip
                && order.iter().take(*skip).all(|(_, target)| target.is_none())
                && order[*skip..].iter().enumerate().all(|(item, (_, target))| target.is_none_or(|target| target.item == Some(item)))
        });
        for (place, (row, _)) in order.iter().enumerate().filter(|(_, (_, target))| target.is_none()) {
            let item = in_order.and_then(|skip| place.checked_sub(skip));
            rows.insert(*row, Target { part, item });
        }
    }

    /// What a row names in its first cell, or in the first two; and whether the label can be nothing else.
    fn row(&self, cells: std::ops::Range<usize>, around: Option<usize>) -> Option<(Target, bool)> {
        let first = self.text(cells.start).trim();
        if let Some((target, sure)) = self.label(first) {
            let items = &self.outline.parts[target.part].items;
            if items.is_empty() || target.item.is_some() {
                return Some((target, sure));
            }
            let rest = first.trim_start_matches(|c: char| !c.is_whitespace());
            let item =
                std::iter::once(rest).chain(cells.skip(1).map(|index| self.text(index))).find_map(|text| self.item(target.part, text));
            return Some((Target { item, ..target }, sure));
        }
        let part = around.filter(|&part| !self.outline.parts[part].items.is_empty())?;
        let item = match self.in_unit_of_head(first) {
            Some(measured) => self.topics.item(part, &measured, 6)?,
            None => self.item(part, first)?,
        };
        Some((Target { part, item: Some(item) }, true))
    }

    /// A bare number in the first column with the unit in which that is given: the `1` under `size/MiB` is `1 MiB`.
    fn in_unit_of_head(&self, text: &str) -> Option<String> {
        let number = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
        let head = (self.first..self.end).find(|&index| self.place(index) == (0, 0, true)).filter(|_| number)?;
        heads::with_unit_of(text, self.text(head))
    }

    fn label(&self, text: &str) -> Option<(Target, bool)> {
        let label = label::label(text, true)?;
        let rest = text[label.range.end..].trim();
        let sure = matches!(label.style, Style::Round | Style::Half | Style::Word) || label.path[0].len() == 2;
        // A bare letter in front of words (`b latency`) counts where all rows have one.
        let fair = sure || rest.is_empty() || label.style == Style::Dot || label.style == Style::Bare && !label.capital;
        if !fair || label.style == Style::Measure {
            return None;
        }
        let mut target = name(&label.path[0], self.outline).filter(|_| label.path[0].starts_with(|c: char| c.is_ascii_alphabetic()))?;
        if let Some(number) = label.path.get(1).and_then(|number| number.parse::<usize>().ok()) {
            target.item = number.checked_sub(1).filter(|&item| item < self.outline.parts[target.part].items.len());
        }
        Some((target, sure))
    }

    /// The item that a cell names by number or topic.
    fn item(&self, part: usize, text: &str) -> Option<usize> {
        let items = self.outline.parts[part].items.len();
        let label = label::label(text.trim(), true);
        let number = label.and_then(|label| label.path[0].parse::<usize>().ok()).and_then(|number| number.checked_sub(1));
        number.filter(|&item| item < items).or_else(|| self.topics.item(part, text, 6))
    }

    /// The columns whose header names a part.
    fn columns(&self) -> BTreeMap<usize, Target> {
        let mut columns = BTreeMap::new();
        for index in self.first..self.end {
            let (row, column, _) = self.place(index);
            if row == 0
                && let Some((target, true)) = self.label(self.text(index).trim())
            {
                columns.insert(column, target);
            }
        }
        columns
    }
}
