//! What stands where: the criterion, the student's text, what it is like, the keys. Fits 80 columns and 24 lines.

use drillmark::cohort::review::{Case, Kind, Mode, Then};
use drillmark::drill::Outcome;

use super::app::{App, Over, in_words};
use super::paint::{Line, Look, wrapped};

/// The smallest window that shows enough to decide.
pub(super) const SMALLEST: (usize, usize) = (40, 14);
/// Lines of a criterion's description that stand above the text.
const SAID: usize = 3;

const KEYS: [(&str, &str); 19] = [
    ("m", "met (a quantity: right; a whole answer: it has no values)"),
    ("p", "partly met (a quantity: right, not in the form asked for)"),
    ("n", "not met (a quantity: wrong; a whole answer: nothing counts)"),
    ("1 … 9", "a level of the criterion; of a quantity, the value that is meant"),
    ("0", "of a quantity: no value was given"),
    ("Enter", "what is proposed, where something is"),
    ("", ""),
    ("c", "a comment, which the student reads with the decision"),
    ("r", "use a comment again"),
    ("u", "take the last decision back; again for the one before it"),
    ("s", "skip: it comes again at the end"),
    ("", ""),
    ("→ ← or j k", "the next case and the one before, decided or not"),
    ("Tab or ] [", "the next criterion and the one before"),
    ("↓ ↑, Space", "scroll the text"),
    ("e", "the criterion in full, with its samples"),
    ("?", "these keys"),
    ("q", "leave; every decision is written down already"),
    ("", ""),
];

/// The lines of the screen. Scrolling too far is drawn in.
pub(super) fn draw(app: &mut App, columns: usize, rows: usize) -> Vec<Line> {
    if columns < SMALLEST.0 || rows < SMALLEST.1 {
        let line = format!("The desk needs {} columns and {} lines.", SMALLEST.0, SMALLEST.1);
        return wrapped(&line, &[], Look::Plain, columns.max(2)).into_iter().take(rows).collect();
    }
    let mut lines = vec![title(app, columns)];
    match app.over.clone() {
        Over::Help => page(app, help(columns), rows - 2, &mut lines),
        Over::Criterion => page(app, in_full(app, columns), rows - 2, &mut lines),
        over => case(app, &over, columns, rows, &mut lines),
    }
    lines.resize(rows - 1, Line::default());
    lines.push(foot(app, columns));
    lines.into_iter().map(|line| line.cut(columns)).collect()
}

fn title(app: &App, columns: usize) -> Line {
    let desk = &app.desk;
    let Some(case) = desk.case() else { return Line::new(Look::Bold, "Nothing waits for a person.") };
    let (here, group, groups, at) = desk.progress_here();
    let all = desk.progress();
    let what = match case.kind {
        Kind::Quantity => "quantity",
        Kind::Criterion => "criterion",
        Kind::Answer => "whole answers",
    };
    let mode = match desk.mode() {
        Mode::Review => "",
        Mode::Second => "second opinion · ",
        Mode::Settle => "settling · ",
    };
    let name = format!("{mode}{}", case.id);
    // The longest form that fits. What criterion and which case it is stays to the end; the words around go first.
    let left = desk.left().filter(|_| all.decided < all.of).map(duration);
    let place = |long: bool| match long {
        true => format!("  {what} {group} of {groups} · {at} of {}, {} decided", here.of, here.decided),
        false => format!("  {what} {group}/{groups} · {at}/{}", here.of),
    };
    let rest = |long: bool, with_left: bool| {
        let decided = match long {
            _ if all.decided == all.of => "all decided".to_owned(),
            true => format!("{} of {} decided", all.decided, all.of),
            false => format!("{}/{}", all.decided, all.of),
        };
        match &left {
            Some(left) if with_left && long => format!("{decided} · {left} left"),
            Some(left) if with_left => format!("{decided} · {left}"),
            _ => decided,
        }
    };
    let forms = [(true, true, true), (false, true, true), (true, false, true), (false, false, true), (false, false, false)];
    for (long_place, long_rest, with_left) in forms {
        let line = Line::new(Look::Bold, &name).with(Look::Dim, &place(long_place));
        let rest = rest(long_rest, with_left);
        let gap = columns.saturating_sub(line.columns() + rest.chars().count());
        if gap > 1 {
            return line.with(Look::Plain, &" ".repeat(gap)).with(Look::Bold, &rest);
        }
    }
    // The narrowest screens know what is asked, and how far it is.
    let (short, rest) = (Line::new(Look::Bold, &name), rest(false, false));
    let gap = columns.saturating_sub(short.columns() + rest.chars().count()).max(1);
    short.with(Look::Plain, &" ".repeat(gap)).with(Look::Bold, &rest)
}

/// About how long, in words.
fn duration(seconds: u64) -> String {
    match seconds {
        0..90 => "about 1 min".to_owned(),
        90..5400 => format!("about {} min", (seconds + 30) / 60),
        _ => format!("about {:.1} h", f64::from(u32::try_from(seconds).unwrap_or(u32::MAX)) / 3600.0),
    }
}

fn case(app: &mut App, over: &Over, columns: usize, rows: usize, lines: &mut Vec<Line>) {
    lines.extend(asked(app, columns));
    let below = below(app, over, columns);
    let room = rows.saturating_sub(lines.len() + below.len() + 2).max(3);
    let Some(case) = app.desk.case() else { return };
    let body = text(app, case, columns);
    let most = body.len().saturating_sub(room);
    let is_marked = |line: &Line| line.pieces.iter().any(|(look, _)| *look == Look::Marked);
    let first_mark = body.iter().position(is_marked).filter(|&line| app.unscrolled && line + 1 >= room);
    let scroll = first_mark.map_or(app.scroll, |line| line.saturating_sub(room / 2)).min(most);
    let seen = if body.len() > room {
        format!("{}–{} of {} lines", scroll + 1, (scroll + room).min(body.len()), body.len())
    } else {
        String::new()
    };
    lines.push(rule(&whose(app, case), &seen, columns));
    let shown = body.len().min(room);
    lines.extend(body.into_iter().skip(scroll).take(shown));
    // What is alike stands right under a short text, and at the bottom under a long one.
    lines.extend(below);
    app.scroll = scroll;
}

/// The criterion, or what is asked.
fn asked(app: &App, columns: usize) -> Vec<Line> {
    let desk = &app.desk;
    let Some(case) = desk.case() else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(sheet) = case.sheet(&desk.marking) {
        let points = desk.marking.drill(&case.drill).and_then(|marked| {
            let at = marked.criteria.iter().position(|other| other.id == sheet.id)?;
            marked.scheme.worths.get(at).map(|worth| if worth.deducts { -worth.points } else { worth.points })
        });
        let points = points.map(|points| format!(" ({})", counted(points))).unwrap_or_default();
        lines.extend(wrapped(&format!("{}{points}", sheet.says), &[], Look::Plain, columns));
        shorten(&mut lines, SAID);
        if let Some(note) = &sheet.note {
            let mut note = wrapped(&format!("Note: {note}"), &[], Look::Dim, columns);
            shorten(&mut note, 2);
            lines.extend(note);
        }
        for (at, level) in sheet.levels.iter().enumerate().take(9) {
            lines.push(
                Line::new(Look::Bold, &format!("{} ", at + 1)).with(Look::Plain, &format!("{:.0} %: {}", level.share * 100.0, level.says)),
            );
        }
    }
    if case.kind == Kind::Answer {
        let said = "Nothing that is asked was found here. Is it the right file, and readable? `n` says that nothing in it counts, `m` that it \
                    is an answer without values, whose arguments are judged. Leave it open while you ask for another file.";
        lines.extend(wrapped(said, &[], Look::Plain, columns));
    }
    if let Some(ask) = case.ask(&desk.marking) {
        let said = format!("Asked: {}. The reference is {} ({}).", ask.asks, ask.reference, counted(ask.points));
        lines.extend(wrapped(&said, &[], Look::Plain, columns));
        shorten(&mut lines, SAID);
    }
    lines
}

/// `1 point`, `0.5 points`.
fn counted(points: f64) -> String {
    format!("{points} point{}", if (points - 1.0).abs() < 1e-9 { "" } else { "s" })
}

/// What a value would be, were it the one that is meant.
fn worth(verdict: &str) -> &'static str {
    match verdict {
        "correct" => "right",
        "carried_forward" => "follows rightly from an earlier value",
        "form" => "right, not in the form asked for",
        "slip" => "a known mistake",
        "wrong" => "wrong",
        _ => "the judge is not sure",
    }
}

/// What would follow: `b.total, b.dominance follow rightly; g.batch wrong`.
fn following(then: &[Then]) -> String {
    let mut by: Vec<(&str, Vec<&str>)> = Vec::new();
    for Then { id, verdict } in then {
        match by.iter_mut().find(|(known, _)| known == verdict) {
            Some((_, ids)) => ids.push(id),
            None => by.push((verdict, vec![id])),
        }
    }
    let told = by.into_iter().map(|(verdict, ids)| format!("{}: {}", ids.join(", "), worth(verdict)));
    told.collect::<Vec<_>>().join("; ")
}

/// No more than so many lines, and a sign that there is more.
fn shorten(lines: &mut Vec<Line>, most: usize) {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.pieces.push((Look::Bold, " … e".to_owned()));
        }
    }
}

fn whose(app: &App, case: &Case) -> String {
    let first = case.members.first().map_or("", |member| member.submission.as_str());
    let others = match case.members.len() {
        0 | 1 => String::new(),
        2 => " and another who says the same".to_owned(),
        more => format!(" and {} others who say the same", more - 1),
    };
    let why = match (app.desk.mode(), case.why.as_str()) {
        (Mode::Second, _) => "",
        (_, "untrue-comparison") => " · a comparison does not hold",
        (_, "copied-text") => " · copied from the rubric",
        (_, "no-rule-decides") => " · no rule is sure",
        (_, "nothing-found") => " · nothing found",
        (_, "by-hand") => " · always for a person",
        (_, "too-long") => " · too long for rules",
        (_, "two-candidates") => " · several values",
        (_, "unlabeled") => " · which value is it?",
        (_, "unknown-unit") => " · unit not known",
        (_, "unconvertible-unit") => " · another currency or price",
        (_, "unreadable") => " · can be read in two ways",
        (_, "bound-or-range") => " · only a bound or a range",
        (_, "reading-not-labeled") => " · right only if it is named",
        (_, "not-own") => " · said by somebody else, or not believed",
        (_, "contradiction") => " · contradicts other values",
        _ => "",
    };
    format!("{first}{others}{why}")
}

fn rule(left: &str, right: &str, columns: usize) -> Line {
    let line = Line::new(Look::Dim, "── ").with(Look::Bold, left).with(Look::Plain, " ");
    let right = if right.is_empty() { String::new() } else { format!(" {right}") };
    let fill = columns.saturating_sub(line.columns() + right.chars().count());
    line.with(Look::Dim, &"─".repeat(fill)).with(Look::Dim, &right)
}

/// The student's text. Who gives a second opinion is not told which words a rule found.
fn text(app: &App, case: &Case, columns: usize) -> Vec<Line> {
    let marks: &[(usize, usize)] = if app.desk.mode() == Mode::Second { &[] } else { &case.marks };
    if case.text.trim().is_empty() {
        return vec![Line::new(Look::Dim, "(Nothing stands under this part.)")];
    }
    wrapped(&case.text, marks, Look::Plain, columns.min(100))
}

/// What stands under the text: candidates, likenesses, the proposal, the decision, the comment.
fn below(app: &App, over: &Over, columns: usize) -> Vec<Line> {
    let desk = &app.desk;
    let mut lines = Vec::new();
    let Some(case) = desk.case() else { return lines };
    if !case.candidates.is_empty() {
        lines.push(rule("which value is meant?", "", columns));
        for (at, candidate) in case.candidates.iter().enumerate().take(9) {
            let verdict = candidate.verdict.as_deref().unwrap_or("unclear");
            let worth = if desk.mode() == Mode::Second { String::new() } else { format!(": {}", worth(verdict)) };
            let line = Line::new(Look::Bold, &format!("{} ", at + 1)).with(Look::Plain, &candidate.reading.text);
            lines.push(line.with(Look::Dim, &format!("  line {}{worth}", candidate.reading.line)));
            if desk.mode() != Mode::Second && !candidate.then.is_empty() {
                lines.push(Line::new(Look::Dim, &format!("    then {}", following(&candidate.then))));
            }
        }
    }
    let neighbors = desk.neighbors();
    if !neighbors.is_empty() {
        lines.push(rule("most alike", "", columns));
        for neighbor in &neighbors {
            let outcome = in_words(&neighbor.outcome);
            let line = Line::new(Look::Plain, &format!("{:3.0} % ", neighbor.likeness * 100.0));
            let line = line.with(look_of(&neighbor.outcome), &format!("{} {outcome:<11}", sign_of(&neighbor.outcome)));
            let by = neighbor.by.as_deref().unwrap_or("sample");
            lines.push(line.with(Look::Dim, &format!("{by}: ")).with(Look::Plain, &neighbor.text));
        }
    }
    if let Some(ruling) = desk.ruling() {
        let decision = &ruling.decision;
        let line = Line::new(Look::Plain, "Decided: ").with(look_of(&decision.outcome), &told(&decision.outcome));
        let line = line.with(Look::Plain, &format!(" by {} at {}", ruling.by, clock(&ruling.time)));
        lines.push(match &decision.comment {
            Some(comment) => line.with(Look::Dim, &format!(": {comment}")),
            None => line,
        });
    } else if let Some(before) = desk.before() {
        let was = format!("It was `{}` by {} before the words or the rubric changed.", in_words(&before.decision.outcome), before.by);
        lines.push(Line::new(Look::Bold, &was));
    } else if let Some(outcome) = desk.proposal() {
        let line = Line::new(Look::Plain, "Proposed: ").with(look_of(outcome.code()), &told(outcome.code()));
        lines.push(line.with(Look::Dim, "  (Enter takes it)"));
    }
    for (who, outcome) in desk.sides() {
        lines.push(Line::new(look_of(&outcome), &told(&outcome)).with(Look::Plain, &format!("  says {who}")));
    }
    match over {
        Over::Comment(text) => {
            let shown = wrapped(&format!("Comment: {text}▏"), &[], Look::Bold, columns);
            let skip = shown.len().saturating_sub(3);
            lines.extend(shown.into_iter().skip(skip));
        }
        Over::Reuse(comments) => {
            for (at, comment) in comments.iter().enumerate() {
                lines.push(Line::new(Look::Bold, &format!("{} ", at + 1)).with(Look::Plain, comment));
            }
        }
        _ => {
            if let Some(draft) = &app.draft {
                lines.push(Line::new(Look::Bold, "Comment: ").with(Look::Plain, draft));
            }
        }
    }
    lines
}

fn told(outcome: &str) -> String {
    format!("{} {}", sign_of(outcome), in_words(outcome))
}

/// `2026-09-02T23:59:00Z` without its seconds.
fn clock(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

fn look_of(outcome: &str) -> Look {
    match outcome {
        "met" | "correct" | "carried_forward" => Look::Good,
        "partly" | "form" => Look::Middling,
        _ => Look::Bad,
    }
}

/// One character that tells it without color.
fn sign_of(outcome: &str) -> char {
    match outcome {
        "met" | "correct" => '✓',
        "carried_forward" => '→',
        "partly" | "form" => '~',
        "missing" => '-',
        _ => '✗',
    }
}

fn foot(app: &App, columns: usize) -> Line {
    if !app.message.is_empty() && app.over == Over::Nothing {
        let keys = "  ? keys";
        let line = Line::new(Look::Bold, &app.message).cut(columns.saturating_sub(keys.len()));
        return line.with(Look::Dim, keys);
    }
    let keys: &[(&str, &str)] = match &app.over {
        Over::Comment(_) => &[("Enter", "keep it"), ("Esc", "leave it"), ("Ctrl-U", "clear")],
        Over::Reuse(_) => &[("1 … 9", "take it, to change or keep"), ("Esc", "leave")],
        Over::Help | Over::Criterion => &[("↓ ↑", "scroll"), ("any other key", "back")],
        Over::Nothing => match app.desk.case().map(|case| case.kind) {
            None => &[("q", "leave")],
            Some(Kind::Answer) => {
                &[("n", "nothing counts"), ("m", "no values"), ("c", "comment"), ("u", "undo"), ("s", "skip"), ("?", "keys"), ("q", "quit")]
            }
            Some(Kind::Quantity) => &[
                ("1…9", "value"),
                ("m", "right"),
                ("p", "form"),
                ("n", "wrong"),
                ("0", "none"),
                ("c", "comment"),
                ("u", "undo"),
                ("?", "keys"),
                ("q", "quit"),
            ],
            Some(Kind::Criterion) => &[
                ("m", "met"),
                ("p", "partly"),
                ("n", "not met"),
                ("c", "comment"),
                ("u", "undo"),
                ("s", "skip"),
                ("e", "samples"),
                ("?", "keys"),
                ("q", "quit"),
            ],
        },
    };
    // Where there is no room for all, the last ones go, and the help tells them.
    let told = |line: Line, (key, what): &(&str, &str)| {
        let gap = if line.pieces.is_empty() { "" } else { "  " };
        line.with(Look::Bold, &format!("{gap}{key}")).with(Look::Plain, &format!(" {what}"))
    };
    let all = keys.iter().fold(Line::default(), told);
    if all.columns() <= columns {
        return all;
    }
    let help = ("?", "keys");
    let room = columns.saturating_sub(told(Line::new(Look::Plain, " "), &help).columns());
    let mut line = Line::default();
    for key in keys.iter().filter(|key| **key != help) {
        let longer = told(line.clone(), key);
        if longer.columns() > room {
            break;
        }
        line = longer;
    }
    told(line, &help)
}

/// A page over the case.
fn page(app: &mut App, body: Vec<Line>, room: usize, lines: &mut Vec<Line>) {
    app.scroll = app.scroll.min(body.len().saturating_sub(room));
    lines.extend(body.into_iter().skip(app.scroll).take(room));
}

fn help(columns: usize) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    for (key, what) in KEYS {
        lines.push(Line::new(Look::Bold, &format!("  {key:<12}")).with(Look::Plain, what));
    }
    let said = "Texts with the same words are decided together. What you decide holds until the text or the criterion changes, whatever \
                the rules say. The gradebook and the feedback are written when you leave.";
    lines.extend(wrapped(said, &[], Look::Plain, columns));
    lines
}

/// The criterion, its note, its levels, its samples.
fn in_full(app: &App, columns: usize) -> Vec<Line> {
    let Some(case) = app.desk.case() else { return Vec::new() };
    let Some(sheet) = app.desk.sheet() else { return asked(app, columns) };
    let mut lines = vec![Line::default()];
    let mut say = |look: Look, text: &str| lines.extend(wrapped(text, &[], look, columns.min(100)));
    say(Look::Plain, &format!("{}: {}", case.id, sheet.says));
    if let Some(note) = &sheet.note {
        say(Look::Dim, &format!("Note: {note}"));
    }
    for (at, level) in sheet.levels.iter().enumerate() {
        say(Look::Plain, &format!("{}  {:.0} %: {}", at + 1, level.share * 100.0, level.says));
    }
    let student = [("met", &sheet.student.met), ("partly met", &sheet.student.partly), ("not met", &sheet.student.not_met)];
    for (outcome, words) in student {
        if let Some(words) = words {
            say(Look::Dim, &format!("Students read, when it is {outcome}: {words}"));
        }
    }
    for outcome in [Outcome::Met, Outcome::Partly, Outcome::NotMet] {
        for sample in sheet.samples.iter().filter(|sample| sample.outcome == outcome) {
            say(Look::Plain, "");
            say(look_of(outcome.code()), &told(outcome.code()));
            say(Look::Plain, &sample.text);
        }
    }
    lines
}
