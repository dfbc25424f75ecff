//! What a text says, word by word: its sentences and clauses, and how each word is meant.

use std::ops::Range;
use std::sync::Arc;

use crate::answer::Role;
use crate::drill::Concepts;
use crate::grade::argue::small_words::{
    AFTER_BREAK, ARROW, CONDITION, CONJUNCTION, FACTOR, FOREIGNS, GLUES, LOOSELY, MARKS, NEGATION_REACH, NEGATOR, NUMBER, POWER, PREDICATE,
    REPORTERS, SMALL_WORDS, SUPPOSERS, TURNS, WORD,
};
use crate::phrase::{self, Marks, Runs, Word, Words};
use crate::recognize::Mention;
use crate::text::{self, Passage, Span};

/// A stretch of an answer and what it is in the document.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// The part or item in which it stands, by id.
    pub part: Option<&'a str>,
    /// The text it is cut from.
    pub passage: &'a Passage,
    /// Where it starts and ends in the passage.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// What it is in the document.
    pub role: &'a Role,
    /// Whether it is somebody else's word, such as the copied question.
    pub quoted: bool,
    /// Ranges of the passage that are struck out.
    pub struck: &'a [Range<usize>],
    /// The quantities that were recognized in the passage.
    pub mentions: &'a [Mention],
}

impl<'a> Said<'a> {
    fn text(&self) -> &'a str {
        &self.passage.text()[self.start..self.end]
    }

    /// Whether a reader takes it for the student's own words.
    fn is_prose(&self) -> bool {
        !self.quoted && !matches!(self.role, Role::Code(_) | Role::Output)
    }
}

/// A stretch that was cut into words: what many criteria look at is prepared once.
#[derive(Clone, Debug)]
pub(in crate::grade) struct Piece<'a> {
    /// The stretch.
    pub said: Said<'a>,
    /// Its words; their ranges count from its start.
    pub words: Arc<Words>,
}

impl<'a> Piece<'a> {
    /// Cuts a stretch.
    pub(in crate::grade) fn of(said: Said<'a>) -> Piece<'a> {
        Piece { said, words: Arc::new(Words::of(said.text())) }
    }
}

/// The longest label of a value, in words; its unit is one.
const LABEL: usize = 4;

/// How many words an argument takes at least.
const SENTENCE: usize = 8;

/// A word with all that bears on what it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// The piece it comes from.
    pub piece: usize,
    /// Which of the piece's words it is.
    word: usize,
    /// Its lists of small words, and what it is by itself.
    marks: u64,
    /// Its sentence; the cells of a table's row are one sentence.
    pub sentence: usize,
    /// Its clause.
    pub clause: usize,
    /// How it is meant.
    pub meant: Meant,
}

impl Token {
    /// Whether it is in a list of small words, or one of the things that a token is by itself.
    pub(super) fn is(&self, mark: u64) -> bool {
        self.marks & mark != 0
    }

    /// Whether it is among the small words and joins something for sure.
    fn joins(&self) -> bool {
        self.is(GLUES) & !self.is(LOOSELY)
    }
}

/// What a sentence is made of, counted in one go.
#[derive(Debug, Default)]
struct Makeup {
    /// The marks of all its tokens.
    marks: u64,
    /// How many are words, and how many numbers.
    words: usize,
    numbers: usize,
    /// How many of the words are small ones.
    glue: usize,
    /// How many tokens join for sure, those that are predicates counted twice.
    joints: usize,
    /// How many stand behind a comma or the like, the first token left out.
    breaks: usize,
    /// How many stand behind a comma or the like or are arrows.
    links: usize,
    /// The longest run of words without a small one.
    longest: usize,
    /// Whether a sign that is no number stands for a predicate behind the first token.
    sign: bool,
    /// Whether there is a predicate that is nothing else.
    sure: bool,
}

impl Makeup {
    fn of(sentence: &[Token]) -> Makeup {
        let mut makeup = Makeup::default();
        let mut run = 0;
        // What a word is cannot be foreseen, so that everything is counted without asking.
        for token in sentence {
            let is = |mark: u64| usize::from(token.is(mark));
            makeup.marks |= token.marks;
            makeup.words += is(WORD);
            makeup.numbers += is(NUMBER);
            makeup.links += is(AFTER_BREAK | ARROW);
            makeup.breaks += is(AFTER_BREAK);
            makeup.sign |= is_sign(token);
            makeup.glue += is(GLUES) & is(WORD);
            makeup.joints += usize::from(token.joins()) * (1 + is(PREDICATE));
            makeup.sure |= is_sure(token);
            // A small word ends a run, and so does what is neither a word nor a power.
            let more = is(WORD) & !is(GLUES);
            let goes_on = more | (!is(WORD) & is(POWER));
            run = (run + more) * goes_on;
            makeup.longest = makeup.longest.max(run);
        }
        if let [first, rest @ ..] = sentence {
            makeup.breaks -= usize::from(first.is(AFTER_BREAK));
            makeup.sign = makeup.sign && (!is_sign(first) || rest.iter().any(is_sign));
        }
        makeup
    }

    /// Whether there are six words or more that nothing joins: not a comma, not a small word, not a sign, and a single number at
    /// most. The common verbs and adjectives among the small words join nothing by themselves.
    fn is_bare(&self, tokens: usize) -> bool {
        self.words >= 6 && self.numbers <= 1 && self.words + self.numbers == tokens && self.breaks == 0 && self.joints == 0
    }
}

/// Whether a token is a sign that stands for a predicate.
fn is_sign(token: &Token) -> bool {
    !token.is(WORD | NUMBER) & token.is(PREDICATE)
}

/// Whether a token is a predicate for sure.
fn is_sure(token: &Token) -> bool {
    token.is(PREDICATE) & !token.is(LOOSELY)
}

/// Begins another of the ranges into which all tokens are cut.
fn begin(ranges: &mut Vec<Range<usize>>, here: usize) {
    end(ranges, here);
    ranges.push(here..here);
}

/// Ends the last of them.
fn end(ranges: &mut [Range<usize>], here: usize) {
    if let Some(last) = ranges.last_mut() {
        last.end = here;
    }
}

/// How a word is meant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meant {
    /// An odd number of negations reaches it.
    pub denied: bool,
    /// It stands after an *if*.
    pub supposed: bool,
    /// It stands after an *although*.
    pub conceded: bool,
    /// It is a question, a heading or a key: it names what is talked about.
    pub named: bool,
    /// It is somebody else's word.
    pub reported: bool,
    /// It stands in a string of words that says nothing.
    pub listed: bool,
}

/// A text, read.
#[derive(Clone, Debug, Default)]
pub(in crate::grade) struct Prose<'a> {
    /// The pieces it was put together from, each with the place of its first word among all tokens.
    pub(super) pieces: Vec<(Piece<'a>, usize)>,
    /// All words in order.
    pub(super) tokens: Vec<Token>,
    /// The tokens of each sentence.
    pub(super) sentences: Vec<Range<usize>>,
    /// The tokens of each clause.
    pub(super) clauses: Vec<Range<usize>>,
    /// Whether each sentence only names things: it has no verb, no joint, and no sign that stands for one.
    pub(super) fragments: Vec<bool>,
    /// Whether a sentence is copied from what a good answer is said to be.
    pub(super) copied: bool,
    /// Whether there is a quotation mark anywhere.
    quotes: bool,
}

impl<'a> Prose<'a> {
    /// Reads a text. What is left of one that nobody needs any more gives its room.
    pub(super) fn read(concepts: &Concepts, pieces: impl IntoIterator<Item = Piece<'a>>, room: Prose<'a>) -> Prose<'a> {
        let mut prose = room.cleared();
        let mut row = None;
        let mut keys: &[String] = &[];
        for piece in pieces.into_iter().filter(|piece| piece.said.is_prose()) {
            let here = match piece.said.role {
                Role::Cell { table, row, .. } => Some((*table, *row)),
                _ => None,
            };
            let continues = here.is_some() && here == row;
            row = here;
            if let Role::Entry(path) = piece.said.role
                && keys != path.as_slice()
            {
                keys = path;
                if let Some(key) = path.last() {
                    let words = Arc::new(Words::of(&key.replace(['_', '-'], " ")));
                    prose.add(Piece { said: piece.said, words }, false, true);
                    prose.add(piece, true, false);
                    continue;
                }
            }
            let named = matches!(piece.said.role, Role::Heading(_) | Role::Cell { header: true, .. });
            prose.add(piece, continues, named);
        }
        prose.fragments.reserve(prose.sentences.len());
        for at in 0..prose.sentences.len() {
            let sentence = prose.sentences[at].clone();
            let makeup = Makeup::of(&prose.tokens[sentence.clone()]);
            prose.understand(&sentence, &makeup);
            prose.set_apart_copies(concepts, &sentence, &makeup);
            let is_fragment = prose.is_fragment(&sentence, &makeup);
            prose.fragments.push(is_fragment);
        }
        prose
    }

    /// Nothing, with room for as much.
    fn cleared(mut self) -> Prose<'a> {
        self.pieces.clear();
        self.tokens.clear();
        self.sentences.clear();
        self.clauses.clear();
        self.fragments.clear();
        Prose { copied: false, quotes: false, ..self }
    }

    /// Adds the words of a piece; `continues` the sentence before it, `named` when they only name what comes.
    fn add(&mut self, piece: Piece<'a>, continues: bool, named: bool) {
        let first = self.tokens.len();
        let at = self.pieces.len();
        let (words, said) = (&*piece.words, &piece.said);
        self.tokens.reserve(words.list().len());
        let small_words = &*SMALL_WORDS;
        let mut sentence = None;
        for (place, word) in words.list().iter().enumerate() {
            let here = first + place;
            let kind = if word.is_word() { WORD } else { 0 } | if word.is_number() { NUMBER } else { 0 };
            let marks = small_words.on_word(word) | kind | if word.after_break { AFTER_BREAK } else { 0 };
            let starts_sentence = sentence.map_or(!continues || here == 0, |before| before != word.sentence);
            sentence = Some(word.sentence);
            if starts_sentence {
                begin(&mut self.sentences, here);
            }
            if starts_sentence || place == 0 || marks & (AFTER_BREAK | CONJUNCTION) != 0 {
                begin(&mut self.clauses, here);
            }
            let struck = |range: &Range<usize>| range.start < said.start + word.range.end && said.start + word.range.start < range.end;
            let reported = !said.struck.is_empty() && said.struck.iter().any(struck);
            let meant = Meant { named, reported, ..Meant::default() };
            let (sentence, clause) = (self.sentences.len() - 1, self.clauses.len() - 1);
            self.tokens.push(Token { piece: at, word: place, marks, sentence, clause, meant });
        }
        for ranges in [&mut self.sentences, &mut self.clauses] {
            end(ranges, self.tokens.len());
        }
        self.quotes |= text::has_quotes(said.text());
        self.pieces.push((piece, first));
    }

    /// The word that a token is.
    fn word(&self, token: &Token) -> &Word {
        &self.pieces[token.piece].0.words.list()[token.word]
    }

    /// Its letters.
    pub(super) fn plain(&self, token: &Token) -> &str {
        let words = &self.pieces[token.piece].0.words;
        words.plain(&words.list()[token.word])
    }

    /// The marks of a token in other lists than those of small words.
    pub(super) fn marks_on(&self, lists: &Marks, at: usize) -> u64 {
        lists.on_word(self.word(&self.tokens[at]))
    }

    /// Whether a sign is the point or the shaft of an arrow: `->`, `=>`, `<-`.
    pub(super) fn is_arrow(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let (text, range) = (self.pieces[token.piece].0.said.text(), &self.word(token).range);
        text[..range.start].ends_with(['-', '=', '–', '—']) || text[range.end..].starts_with(['-', '–', '—'])
    }

    /// Works out how the words of a sentence are meant.
    fn understand(&mut self, sentence: &Range<usize>, makeup: &Makeup) {
        let asks = self.ends_with_question_mark(sentence);
        // Whatever speaks of its own marking instead of the question says nothing either.
        let listed = self.is_listed(sentence, makeup) || makeup.marks & MARKS != 0;
        if asks || listed {
            for token in &mut self.tokens[sentence.clone()] {
                token.meant.named |= asks;
                token.meant.listed |= listed;
            }
        }
        if self.quotes {
            for quote in self.quotation_marks(sentence.clone()) {
                self.tokens[quote].iter_mut().for_each(|token| token.meant.reported = true);
            }
        }
        // Three items have two commas between them.
        if makeup.breaks >= 2 {
            for items in self.enumerations(sentence.clone()) {
                self.tokens[items].iter_mut().for_each(|token| token.meant.listed = true);
            }
        }
        if makeup.marks & (TURNS | NEGATOR) != 0 {
            self.follow_turns(sentence);
        }
    }

    /// Works out which words of a sentence are denied, supposed, conceded or reported by the words before them.
    fn follow_turns(&mut self, sentence: &Range<usize>) {
        let mut deny = None;
        let (mut supposing, mut conceding, mut reporting) = (false, false, false);
        let turns = |at: &usize| self.tokens[*at].is(TURNS | NEGATOR);
        let first = sentence.clone().find(turns).unwrap_or(sentence.end);
        for at in first..sentence.end {
            let token = &self.tokens[at];
            if at > first && token.clause != self.tokens[at - 1].clause {
                let after_negator = deny.is_some_and(|(_, since)| since + 1 == at);
                let broken = token.is(AFTER_BREAK);
                if broken || !after_negator {
                    deny = None;
                }
                supposing &= !broken;
                conceding &= !broken;
                reporting &= !(broken || token.is(CONJUNCTION));
            }
            let before = |back: usize| at.checked_sub(back).map_or("", |at| self.plain_at(at, sentence));
            if token.is(TURNS) {
                match self.plain(token) {
                    "if" | "unless" | "suppose" | "supposing" | "assuming" => supposing = true,
                    "then" => supposing = false,
                    "contrary" => reporting |= self.plain_at(at + 1, sentence) == "to",
                    "although" | "though" | "despite" | "albeit" => conceding = true,
                    "even" => conceding |= matches!(self.plain_at(at + 1, sentence), "if" | "with" | "when"),
                    "think" | "believe" | "expect" | "assume" => {
                        reporting |= SUPPOSERS.contains(&before(1)) && !matches!(before(2), "i" | "we");
                    }
                    _ => {
                        let might = SUPPOSERS.contains(&before(1)) && !matches!(before(2), "i" | "we" | "you");
                        reporting |= might || REPORTERS.contains(&before(1)) || REPORTERS.contains(&before(2));
                    }
                }
            }
            let negates = token.is(NEGATOR)
                && match self.plain(token) {
                    "not" => !matches!(self.plain_at(at + 1, sentence), "only" | "just"),
                    "no" => !matches!(self.plain_at(at + 1, sentence), "doubt" | "matter" | "the" | "it" | "i" | "this"),
                    "wrong" => matches!(self.plain_at(at + 1, sentence), "to" | "that"),
                    "doubt" => !matches!(before(1), "no" | "without"),
                    _ => true,
                };
            let again = negates && self.plain(token) == "nor";
            let reach = deny.filter(|(_, since)| at - since <= NEGATION_REACH);
            let meant = &mut self.tokens[at].meant;
            meant.denied = reach.is_some_and(|(odd, _)| odd);
            meant.supposed = supposing;
            meant.conceded = conceding;
            meant.reported |= reporting;
            if negates {
                deny = Some((again || !reach.is_some_and(|(odd, _)| odd), at));
            }
        }
    }

    /// Marks a sentence that is not the student's own. The question in its own words names what is talked about.
    fn set_apart_copies(&mut self, concepts: &Concepts, sentence: &Range<usize>, makeup: &Makeup) {
        let given = concepts.given();
        let keys = self.tokens[sentence.clone()].iter().filter_map(|token| phrase::key(self.word(token)));
        let [asked, answered] = Runs::hold([&given.questions, &given.answers], makeup.words, keys);
        if asked || answered {
            self.copied |= answered;
            for token in &mut self.tokens[sentence.clone()] {
                token.meant.named |= asked;
                token.meant.reported |= answered;
            }
        }
    }

    /// Whether there are only cells of tables and entries of forms, none of them longer than a value with its name.
    pub(super) fn is_tabular(&self) -> bool {
        let words = |piece: &Piece| piece.words.list().iter().filter(|word| word.is_word()).count();
        let cell = |piece: &Piece| matches!(piece.said.role, Role::Cell { .. } | Role::Entry(_));
        self.pieces.iter().all(|(piece, _)| cell(piece) && words(piece) <= LABEL) && self.fragments.iter().all(|fragment| *fragment)
    }

    /// Whether there is a sentence long enough to be an argument in words that nobody looked for. Another one that only lists
    /// catchwords, or asks, is none.
    pub(super) fn says_much(&self) -> bool {
        let says = |at: usize| {
            let own = |token: &&Token| token.is(WORD) && !token.meant.named && !token.meant.listed;
            !self.fragments[at] && self.tokens[self.sentences[at].clone()].iter().filter(own).count() >= SENTENCE
        };
        (0..self.sentences.len()).any(says)
    }

    /// Whether the text is written in a language of which the rubric's phrases know little.
    pub(super) fn is_foreign(&self) -> bool {
        let foreign = self.tokens.iter().filter(|token| token.is(FOREIGNS)).count();
        foreign >= 2 && foreign * 8 >= self.tokens.len()
    }

    /// Whether a sentence only names things. A colon after a word or two says something of them: `batch: eight times`, and so does
    /// a factor that is set apart (`the second, 162 times the first`), while a bare `bandwidth-bound 162x` is catchwords.
    fn is_fragment(&self, sentence: &Range<usize>, makeup: &Makeup) -> bool {
        let tokens = &self.tokens[sentence.clone()];
        let glued = makeup.joints > 0;
        let set_apart = makeup.breaks > 0;
        let goes_on = |at: usize| tokens.get(at + 1).is_some_and(|next| !next.is(AFTER_BREAK));
        let factor = |at: usize| tokens[at].is(FACTOR) && (glued || set_apart) && goes_on(at);
        let label = |at: usize| {
            let near = at > 0 && (at <= 4 || glued);
            near && tokens[at].is(AFTER_BREAK) && self.follows_colon(&tokens[at - 1], &tokens[at])
        };
        let says = makeup.marks & PREDICATE != 0 || (0..tokens.len()).any(|at| factor(at) || label(at));
        // `batch ends project learning rate`, `ceiling 100 % backward fits`: catchwords, one of which happens to be a verb.
        let broken = set_apart || makeup.sign;
        let bare = makeup.joints == 0 && makeup.numbers > 0 && (!makeup.sure || tokens.last().is_some_and(is_sure));
        let few_joints = if makeup.words >= 4 { makeup.joints * 4 < makeup.words } else { bare };
        !says || makeup.words >= 3 && !broken && few_joints
    }

    /// Whether a sentence says under which condition, in which respect, or how far it holds.
    pub(super) fn is_conditional(&self, sentence: &Range<usize>) -> bool {
        // `With overlap I disagree`, but not `I agree with it`.
        let with = |at: usize| {
            let before = if at > sentence.start { self.plain(&self.tokens[at - 1]) } else { "" };
            self.plain(&self.tokens[at]) == "with" && !matches!(before, "agree" | "agreed" | "disagree" | "side" | "go" | "am")
        };
        let here = &self.tokens[sentence.clone()];
        here.iter().any(|token| token.meant.supposed || token.is(CONDITION)) || sentence.clone().any(with)
    }

    fn follows_colon(&self, before: &Token, here: &Token) -> bool {
        let gap = self.word(before).range.end..self.word(here).range.start;
        before.piece != here.piece || self.pieces[here.piece].0.said.text().get(gap).is_some_and(|gap| gap.contains(':'))
    }

    fn plain_at(&self, at: usize, sentence: &Range<usize>) -> &str {
        if sentence.contains(&at) { self.plain(&self.tokens[at]) } else { "" }
    }

    /// The text between a sentence's last word and the next one of its piece.
    fn after(&self, sentence: &Range<usize>) -> &str {
        let last = &self.tokens[sentence.end - 1];
        let text = self.pieces[last.piece].0.said.text();
        let word_end = self.word(last).range.end;
        let Some(rest) = text.get(word_end..) else { return "" };
        let end = match self.tokens.get(sentence.end) {
            Some(next) if next.piece == last.piece => self.word(next).range.start - word_end,
            _ => rest.len(),
        };
        rest.get(..end).unwrap_or("")
    }

    fn ends_with_question_mark(&self, sentence: &Range<usize>) -> bool {
        self.after(sentence).contains('?')
    }

    /// The tokens between quotation marks, of at least two words: a single quoted word is only set apart.
    fn quotation_marks(&self, sentence: Range<usize>) -> Vec<Range<usize>> {
        let mut quotes = Vec::new();
        let mut open: Option<usize> = None;
        for at in sentence.clone().skip(1) {
            let (before, here) = (&self.tokens[at - 1], &self.tokens[at]);
            if before.piece != here.piece {
                open = None;
                continue;
            }
            let gap = self.word(before).range.end..self.word(here).range.start;
            let between = self.pieces[here.piece].0.said.text().get(gap).unwrap_or("");
            for c in between.chars() {
                open = match (c, open) {
                    ('“' | '„' | '«', _) | ('"', None) => Some(at),
                    ('”' | '»' | '"', Some(start)) => {
                        quotes.push(start..at);
                        None
                    }
                    (_, open) => open,
                };
            }
        }
        quotes.into_iter().filter(|quote| quote.len() >= 2).collect()
    }

    /// Whether a sentence strings words together without saying anything: long runs without any of the small words
    /// and signs that make a sentence, or the same words over and over.
    fn is_listed(&self, sentence: &Range<usize>, makeup: &Makeup) -> bool {
        let Makeup { words, glue, links, longest, .. } = *makeup;
        if words < 6 {
            return false;
        }
        if makeup.is_bare(sentence.len()) || links >= 4 && links * 2 >= words && makeup.numbers == 0 {
            return true;
        }
        let repeats = || {
            let words_of = self.tokens[sentence.clone()].iter().filter(|token| token.is(WORD));
            let mut seen: Vec<&str> = words_of.map(|token| self.pieces[token.piece].0.words.folded(self.word(token))).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.len() * 4 < words
        };
        longest >= 10 || (longest >= 6 && glue * 6 < words) || (words >= 40 && repeats())
    }

    /// Three or more items of a word or two between commas, none of them with a small word or a number: catchwords.
    fn enumerations(&self, sentence: Range<usize>) -> Vec<Range<usize>> {
        let bare = |item: &[Token]| item.len() <= 3 && item.iter().all(|token| !token.is(NUMBER | GLUES));
        let mut runs = Vec::new();
        let (mut run, mut items) = (sentence.start..sentence.start, 0);
        for item in self.tokens[sentence].chunk_by(|_, next| !next.is(AFTER_BREAK)) {
            let end = run.end + item.len();
            if bare(item) {
                (run.end, items) = (end, items + 1);
                continue;
            }
            runs.extend((items >= 3).then_some(run));
            (run, items) = (end..end, 0);
        }
        runs.extend((items >= 3).then_some(run));
        runs
    }

    /// Whether a negation stands inside a phrase that is none of its own: `bandwidth does not dominate`. A phrase with `not` is
    /// also found with every contracted *not*.
    pub(super) fn denied_inside(&self, tokens: &Range<usize>, own: &[String]) -> bool {
        let is_own = |token: &Token| {
            let plain = self.plain(token);
            own.iter().any(|own| own == plain || own == "not" && (plain.ends_with("nt") || plain == "cannot"))
        };
        self.tokens[tokens.clone()].iter().filter(|token| token.is(NEGATOR) && !is_own(token)).count() % 2 == 1
    }

    /// The tokens that some bytes of a piece's passage hold.
    pub(super) fn tokens_of(&self, piece: usize, range: &Range<usize>) -> Option<Range<usize>> {
        let (Piece { said, words, .. }, first) = &self.pieces[piece];
        let offset = said.start;
        let start = words.list().partition_point(|word| offset + word.range.end <= range.start);
        let end = words.list().partition_point(|word| offset + word.range.start < range.end);
        (start < end).then(|| (start + first)..(end + first))
    }

    /// How many words of the student's own there are that say something.
    pub(super) fn length(&self) -> usize {
        self.tokens.iter().filter(|token| token.is(WORD) && !token.meant.named && !token.meant.listed).count()
    }

    /// The bytes of the submission that some tokens stand for.
    pub(super) fn span(&self, tokens: &Range<usize>) -> Option<Span> {
        let (first, last) = (self.tokens.get(tokens.start)?, self.tokens.get(tokens.end.checked_sub(1)?)?);
        let said = &self.pieces[first.piece].0.said;
        let end = if first.piece == last.piece { self.word(last).range.end } else { said.end - said.start };
        let range = (said.start + self.word(first).range.start)..(said.start + end).min(said.end);
        (range.start < range.end).then(|| said.passage.span(range))
    }
}
