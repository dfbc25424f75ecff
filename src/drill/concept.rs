//! The concepts of a rubric: what its rules name.

use std::sync::{LazyLock, OnceLock};

use crate::drill::rule::Rule;
use crate::phrase::{Marks, Phrase, Phrases, Runs, Words};
use crate::quantity::{Dimension, Number};

/// Something that a text can say in many ways.
#[derive(Clone, Debug)]
pub struct Concept {
    /// As the rules write it.
    pub name: String,
    /// Phrases, any of which says it.
    pub phrases: Vec<Phrase>,
    /// By phrase: the negations among its own words, which deny nothing.
    pub negations: Vec<Vec<String>>,
    /// Figures, any of which says it.
    pub figures: Vec<Figure>,
    /// The quantities that its phrases may stand for, so that what the text compares with them can be worked out.
    pub means: Vec<Figure>,
    /// A rule that says it, for a concept that combines others.
    pub rule: Option<Rule>,
}

/// A quantity that says something when it stands in a text.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The value, in SI base units.
    pub value: Number,
    /// Its dimension.
    pub dimension: Dimension,
    /// The size of the unit in which it may stand without one: `203 < 267`, meaning milliseconds.
    pub bare: Number,
    /// How far from it a mention may be, as a fraction.
    pub tolerance: f64,
    /// The ask whose own value counts too, as a place among the asks: students argue with their own numbers.
    pub ask: Option<usize>,
}

/// The concepts of a rubric.
#[derive(Clone, Debug, Default)]
pub struct Concepts {
    list: Vec<Concept>,
    /// All their phrases, compiled when somebody asks; whoever decides criteria looks for those that these name.
    all: OnceLock<Phrases>,
    /// By phrase of all: its concept, and its place among those of the concept.
    owners: Vec<(usize, usize)>,
    given: Given,
}

/// What everybody can copy.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The questions.
    pub questions: Runs,
    /// What a good answer says: the criteria, what students are told of them, the model answer.
    pub answers: Runs,
}

/// Words that deny what comes after them in their clause; `not only` and `no doubt` are no such words.
pub const NEGATORS: &str = "\
    not no never none nothing nobody neither nor nowhere cannot without hardly barely scarcely unlikely impossible unable false \
    untrue wrong lack lacks fails cant wont dont doesnt didnt isnt arent aint wasnt werent wouldnt shouldnt couldnt hasnt havent \
    neednt mustnt doubt doubts deny denies refute refutes myth misconception nicht kein keine keinen keiner nie niemals nichts \
    weder ohne";

impl Concepts {
    /// Rules name them by their place in this order.
    pub fn new(list: Vec<Concept>) -> Concepts {
        let of = |(at, concept): (usize, &'_ Concept)| (0..concept.phrases.len()).map(move |place| (at, place));
        Concepts { owners: list.iter().enumerate().flat_map(of).collect(), list, ..Concepts::default() }
    }

    /// What everybody can copy.
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// The same, for adding to it.
    pub(super) fn given_mut(&mut self) -> &mut Given {
        &mut self.given
    }

    /// The concepts in order.
    pub fn list(&self) -> &[Concept] {
        &self.list
    }

    /// The phrases of all concepts, concept by concept.
    pub fn phrases(&self) -> impl Iterator<Item = &Phrase> + Clone {
        self.list.iter().flat_map(|concept| &concept.phrases)
    }

    /// The concept of one of [`Concepts::phrases`], and the negations among the phrase's own words, which deny nothing.
    pub fn owner(&self, phrase: usize) -> (usize, &[String]) {
        let (concept, place) = self.owners[phrase];
        (concept, &self.list[concept].negations[place])
    }

    /// A matcher of [`Concepts::phrases`].
    pub fn matcher(&self) -> &Phrases {
        self.all.get_or_init(|| Phrases::compile(self.phrases()))
    }
}

/// The negations among the words of a phrase.
pub(super) fn negations(phrase: &Phrase) -> Vec<String> {
    static NEGATIONS: LazyLock<Marks> = LazyLock::new(|| Marks::of_texts(&[NEGATORS]));
    // Nearly every phrase is told to have none by its stretches of small letters: what else may be a word is looked at in full.
    let source = phrase.source();
    let is_plain = source.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase() && !matches!(byte, b'\'' | b'`' | b'/'));
    if is_plain && source.split(|c: char| !c.is_ascii_lowercase()).all(|letters| NEGATIONS.on(letters) == 0) {
        return Vec::new();
    }
    let words = Words::of(source);
    let negations = words.list().iter().filter(|word| NEGATIONS.on_word(word) != 0);
    negations.map(|word| words.plain(word).to_owned()).collect()
}
