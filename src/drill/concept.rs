//! The concepts of a rubric: what its rules name, compiled together.

use std::ops::Range;
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

/// The concepts of a rubric and the matcher that finds the phrases of all of them in one pass.
#[derive(Clone, Debug, Default)]
pub struct Concepts {
    list: Vec<Concept>,
    matcher: Phrases,
    /// The concept of each compiled phrase, and which of its phrases it is.
    owner: Vec<(usize, usize)>,
    /// The negations that each compiled phrase has among its own words, looked for when it is found first; those deny nothing.
    denies: Vec<OnceLock<Vec<String>>>,
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

/// A phrase of a concept, found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConceptHit {
    /// The place of the concept.
    pub concept: usize,
    /// Words of the text.
    pub words: Range<usize>,
    /// Which of the compiled phrases, for [`Concepts::own_negations`].
    pub phrase: usize,
}

/// Words that deny what comes after them in their clause; `not only` and `no doubt` are no such words.
pub const NEGATORS: &str = "\
    not no never none nothing nobody neither nor nowhere cannot without hardly barely scarcely unlikely impossible unable false \
    untrue wrong lack lacks fails cant wont dont doesnt didnt isnt arent aint wasnt werent wouldnt shouldnt couldnt hasnt havent \
    neednt mustnt doubt doubts deny denies refute refutes myth misconception nicht kein keine keinen keiner nie niemals nichts \
    weder ohne";

impl Concepts {
    /// Compiles concepts; rules name them by their place in this order.
    pub fn new(list: Vec<Concept>) -> Concepts {
        let places = |(at, concept): (usize, &Concept)| (0..concept.phrases.len()).map(move |place| (at, place));
        let owner: Vec<(usize, usize)> = list.iter().enumerate().flat_map(places).collect();
        let matcher = Phrases::compile(list.iter().flat_map(|concept| &concept.phrases));
        Concepts { matcher, denies: vec![OnceLock::new(); owner.len()], owner, given: Given::default(), list }
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

    /// The negations that a phrase has among its own words.
    pub fn own_negations(&self, phrase: usize) -> &[String] {
        self.denies[phrase].get_or_init(|| {
            static NEGATIONS: LazyLock<Marks> = LazyLock::new(|| Marks::of_texts(&[NEGATORS]));
            let (concept, place) = self.owner[phrase];
            let words = Words::of(self.list[concept].phrases[place].source());
            let plain = words.list().iter().map(|word| words.plain(word));
            plain.filter(|word| NEGATIONS.on(word) != 0).map(str::to_owned).collect()
        })
    }

    /// Every phrase of every concept that stands in a text, in the order of the text.
    pub fn find(&self, words: &Words) -> Vec<ConceptHit> {
        let mut hits = Vec::new();
        self.matcher
            .find_each(words, |hit| hits.push(ConceptHit { concept: self.owner[hit.phrase].0, words: hit.words, phrase: hit.phrase }));
        hits
    }
}
