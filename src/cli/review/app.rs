//! The desk with hands: which key does what. Knows no terminal; keys come in, acts for the log go out.

use drillmark::cohort::review::{Act, Candidate, Choice, Decision, Desk, Entry, Kind};
use drillmark::drill::Outcome;
use drillmark::grade::Verdict;

/// A key, as far as the desk knows any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Enter,
    Escape,
    Backspace,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Tab,
    BackTab,
    /// Ctrl-U.
    Clear,
    /// Ctrl-W.
    ClearWord,
    /// Ctrl-C.
    Interrupt,
}

/// What lies over the case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Over {
    /// Nothing.
    #[default]
    Nothing,
    /// The keys.
    Help,
    /// The criterion in full, with its samples.
    Criterion,
    /// A comment is being written.
    Comment(String),
    /// A comment is being chosen.
    Reuse(Vec<String>),
}

/// What has to be done about a key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    /// Nothing but drawing.
    Draw,
    /// Writing this into the log, then [`App::written`].
    Write(Box<Act>),
    /// Leaving.
    Quit,
}

/// The desk with hands.
#[derive(Debug)]
pub(super) struct App {
    pub(super) desk: Desk,
    pub(super) over: Over,
    /// Lines of the text (or of what lies over it) that are above the screen.
    pub(super) scroll: usize,
    /// Whether nobody has scrolled yet: then the words in question are brought into view.
    pub(super) unscrolled: bool,
    /// The comment for the case on the desk, not yet written down.
    pub(super) draft: Option<String>,
    /// What has just happened.
    pub(super) message: String,
}

impl App {
    pub(super) fn new(desk: Desk, message: String) -> App {
        App { desk, over: Over::Nothing, scroll: 0, unscrolled: true, draft: None, message }
    }

    /// What a key does; `seconds` is how long the case has lain on the desk.
    pub(super) fn press(&mut self, key: Key, seconds: u64) -> Effect {
        if key == Key::Interrupt {
            return Effect::Quit;
        }
        match std::mem::take(&mut self.over) {
            Over::Nothing => self.on_case(key, seconds),
            Over::Comment(text) => self.on_comment(text, key),
            Over::Reuse(comments) => self.on_reuse(comments, key),
            over @ (Over::Help | Over::Criterion) => self.on_page(over, key),
        }
    }

    /// Text that was pasted: into a comment, and nowhere else.
    pub(super) fn paste(&mut self, text: &str) {
        if let Over::Comment(comment) = &mut self.over {
            comment.push_str(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }

    fn on_case(&mut self, key: Key, seconds: u64) -> Effect {
        let kind = self.desk.case().map(|case| case.kind);
        let is_quantity = kind == Some(Kind::Quantity);
        let digit = |c: char| c.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
        self.message.clear();
        match key {
            Key::Char('m') => return self.decide(Choice::Outcome(Outcome::Met), seconds),
            Key::Char('p') => return self.decide(Choice::Outcome(Outcome::Partly), seconds),
            Key::Char('n') => return self.decide(Choice::Outcome(Outcome::NotMet), seconds),
            Key::Char('0') if is_quantity => return self.decide(Choice::Verdict(Verdict::Missing), seconds),
            Key::Char(c @ '1'..='9') => {
                let at = digit(c).unwrap_or(1) - 1;
                return self.decide(if is_quantity { Choice::Candidate(at) } else { Choice::Level(at) }, seconds);
            }
            Key::Enter => match self.desk.proposal() {
                Some(outcome) => return self.decide(Choice::Outcome(outcome), seconds),
                None => self.message = "nothing is proposed here".to_owned(),
            },
            Key::Char('u') => match self.desk.undo() {
                Some(act) => return Effect::Write(Box::new(act)),
                None => self.message = "there is nothing to undo".to_owned(),
            },
            Key::Char('s') => {
                self.desk.skip();
                self.moved();
            }
            Key::Char('c') => self.over = Over::Comment(self.draft.clone().unwrap_or_default()),
            Key::Char('r') => {
                let comments: Vec<String> = self.desk.comments().into_iter().take(9).collect();
                match comments.is_empty() {
                    true => self.message = "no comment was written about this yet; `c` writes one".to_owned(),
                    false => self.over = Over::Reuse(comments),
                }
            }
            Key::Char('e') => self.lay_over(Over::Criterion),
            Key::Char('?' | 'h') => self.lay_over(Over::Help),
            Key::Char('j') | Key::Right => self.go(|desk| desk.step(true)),
            Key::Char('k') | Key::Left => self.go(|desk| desk.step(false)),
            Key::Char(']') | Key::Tab => self.go(|desk| desk.leap(true)),
            Key::Char('[') | Key::BackTab => self.go(|desk| desk.leap(false)),
            Key::Char('q') => return Effect::Quit,
            Key::Char(' ') => self.scroll_by(8),
            key => self.scrolled(key),
        }
        Effect::Draw
    }

    fn on_comment(&mut self, mut text: String, key: Key) -> Effect {
        match key {
            Key::Enter => {
                self.draft = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
                self.message = match self.draft {
                    Some(_) => "the comment goes with the decision".to_owned(),
                    None => "no comment".to_owned(),
                };
                return Effect::Draw;
            }
            Key::Escape => return Effect::Draw,
            Key::Char(c) => text.push(c),
            Key::Backspace => {
                text.pop();
            }
            Key::Clear => text.clear(),
            Key::ClearWord => {
                let kept = text.trim_end().rfind(' ').map_or(0, |space| space + 1);
                text.truncate(kept);
            }
            _ => {}
        }
        self.over = Over::Comment(text);
        Effect::Draw
    }

    fn on_reuse(&mut self, comments: Vec<String>, key: Key) -> Effect {
        let chosen = match key {
            Key::Char(c) => c.to_digit(10).and_then(|digit| comments.get((digit as usize).checked_sub(1)?)),
            Key::Escape => return Effect::Draw,
            _ => None,
        };
        match chosen {
            // It can still be changed before it is taken.
            Some(comment) => self.over = Over::Comment(comment.clone()),
            None => self.over = Over::Reuse(comments),
        }
        Effect::Draw
    }

    fn on_page(&mut self, over: Over, key: Key) -> Effect {
        match key {
            Key::Up | Key::Down | Key::PageUp | Key::PageDown => {
                self.over = over;
                self.scrolled(key);
            }
            Key::Char(' ') => {
                self.over = over;
                self.scroll_by(8);
            }
            _ => self.scroll = 0,
        }
        Effect::Draw
    }

    fn lay_over(&mut self, over: Over) {
        self.over = over;
        self.unscrolled = true;
        self.scroll = 0;
    }

    fn decide(&mut self, choice: Choice, seconds: u64) -> Effect {
        match self.desk.decide(choice, self.draft.as_deref(), seconds) {
            Ok(act) => Effect::Write(Box::new(act)),
            Err(why) => {
                self.message = why.to_owned();
                Effect::Draw
            }
        }
    }

    /// An act is in the log.
    pub(super) fn written(&mut self, entry: &Entry) {
        self.message = match &entry.act {
            Act::Decide(decision) => {
                let comment = if decision.comment.is_some() { ", with your comment" } else { "" };
                let then = match self.followed_by(decision) {
                    0 => String::new(),
                    1 => ", and 1 value judged anew".to_owned(),
                    more => format!(", and {more} values judged anew"),
                };
                format!("{}: {}{comment}{then}; `u` takes it back", decision.id, in_words(&decision.outcome))
            }
            Act::Undo { .. } => "taken back".to_owned(),
        };
        // A comment on a decision that is taken back is not lost.
        let undone = match entry.act {
            Act::Undo { of } => self.desk.comment_of(of),
            Act::Decide(_) => None,
        };
        self.desk.learn(entry);
        self.moved();
        self.draft = undone;
        let progress = self.desk.progress();
        if progress.decided == progress.of && matches!(entry.act, Act::Decide(_)) {
            self.message = "Everything here is decided. `q` leaves, `u` takes the last one back.".to_owned();
        }
    }

    /// How many other values are judged by the one that a decision names.
    fn followed_by(&self, decision: &Decision) -> usize {
        let case = self.desk.case().filter(|case| case.id == decision.id);
        let is_meant = |candidate: &&Candidate| Some(&candidate.reading.text) == decision.candidate.as_ref();
        case.and_then(|case| case.candidates.iter().find(is_meant)).map_or(0, |candidate| candidate.then.len())
    }

    fn go(&mut self, step: impl FnOnce(&mut Desk)) {
        step(&mut self.desk);
        self.moved();
    }

    fn moved(&mut self) {
        self.scroll = 0;
        self.unscrolled = true;
        self.draft = None;
    }

    fn scrolled(&mut self, key: Key) {
        self.unscrolled &= !matches!(key, Key::Up | Key::PageUp);
        match key {
            Key::Up => self.scroll = self.scroll.saturating_sub(1),
            Key::Down => self.scroll_by(1),
            Key::PageUp => self.scroll = self.scroll.saturating_sub(8),
            Key::PageDown => self.scroll_by(8),
            _ => {}
        }
    }

    /// How far there is to scroll is known when it is drawn.
    fn scroll_by(&mut self, lines: usize) {
        self.unscrolled = false;
        self.scroll = self.scroll.saturating_add(lines);
    }
}

/// An outcome's or a verdict's code in words.
pub(super) fn in_words(code: &str) -> String {
    match code {
        "partly" => "partly met".to_owned(),
        "correct" => "right".to_owned(),
        "carried_forward" => "follows rightly".to_owned(),
        "form" => "right but for its form".to_owned(),
        "missing" => "no value given".to_owned(),
        code => code.replace('_', " "),
    }
}
