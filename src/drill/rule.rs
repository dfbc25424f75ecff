//! The language in which a rubric says what counts as an argument.
//!
//! A rule combines named concepts; a concept is a list of phrases, figures, or itself a rule.
//!
//! | written | holds where the text |
//! |---|---|
//! | `overlap` | says it, and means it: not denied, not asked, not in somebody else's mouth |
//! | `a & b`, `a \| b`, `!a`, `( )` | as usual; `!` binds tightest, then `&` |
//! | `sentence(a, b)`, `clause(a, b)` | says all of it in one sentence, in one clause |
//! | `near(2, a, b)` | says all of it within two sentences of each other |
//! | `before(a, b)` | says the one before the other |
//! | `opens(a)` | begins with it |
//! | `some(2, a, b, c)` | says at least two of them |
//! | `any(a)` | mentions it, however it is meant |
//! | `denied(a)` | denies it |
//! | `about(a)` | says it or denies it: either will do |
//! | `supposed(a)` | says it after an *if* |
//! | `firm(a)` | says it, and neither supposes nor concedes it |
//! | `less(a, b)` | compares two figures, the first smaller than the second |
//! | `compares(a, b)` | says that the quantity of the first is below that of the second (`203 ms hide behind the backward pass`), and that is so |
//! | `untrue` | compares two quantities and has it the wrong way round |
//! | `rises(a)`, `falls(a)` | says that there is more of it, that there is less of it |
//! | `side(a, b, rule)` | says in a sentence about the first, before it turns to the second, what the rule looks for |
//! | `torn(a, b)` | says both, or one and its denial, in sentences that nothing tells apart |
//! | `right(b.latency)`, `answered(b.latency)` | gives a value for an ask that was judged right; gives any |
//! | `greater(b.bandwidth, b.latency)` | has a larger value for the first ask than for the second; what is not given counts as it is |
//! | `fewer(12)` | has fewer words than that |
//! | `listed` | strings words together without saying anything with them |
//!
//! What makes a criterion met has to be said and meant, however the rule looks for it: where all that `any(a)` finds is
//! denied, asked or in somebody else's mouth, a person decides; `denied(a)`, `about(a)` and `supposed(a)` say that it is wanted
//! so. And no text with an untrue comparison meets a criterion, whatever else it says.

use std::fmt;

use crate::text::Span;

/// How deep brackets may nest.
const DEEPEST: usize = 32;

/// A condition on a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// All of them hold.
    All(Vec<Rule>),
    /// At least so many of them hold.
    Some(usize, Vec<Rule>),
    /// It does not hold.
    Not(Box<Rule>),
    /// A concept is said, by its place among the concepts.
    Says(usize),
    /// It holds when what is said counts in this manner.
    As(Manner, Box<Rule>),
    /// It holds in a stretch of the text of this size.
    In(Stretch, Box<Rule>),
    /// The evidence of the first ends before some evidence of the second starts.
    Before(Box<Rule>, Box<Rule>),
    /// It holds in the first few words.
    Opens(Box<Rule>),
    /// A figure of the first concept is smaller than one of the second.
    Less(usize, usize),
    /// A comparison says that the first concept's quantity is below the second's, and it is.
    Compares(usize, usize),
    /// A comparison does not hold.
    Untrue,
    /// There is more, or less, of what a concept names.
    Moves(Direction, usize),
    /// It holds between a mention of the first concept and the next one of the second.
    Side(usize, usize, Box<Rule>),
    /// Both concepts are said, or one is said and denied, with nothing that tells the two apart.
    Torn(usize, usize),
    /// The ask was judged right.
    Right(usize),
    /// The value for the first ask is the larger one.
    Greater(usize, usize),
    /// The ask was answered, rightly or wrongly.
    Answered(usize),
    /// There are fewer words than that.
    Fewer(usize),
    /// Words are strung together.
    Listed,
}

/// What a mention of a concept counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Manner {
    /// The text says it.
    #[default]
    Meant,
    /// The text says it without an *if* or an *although*.
    Firm,
    /// It is there.
    Any,
    /// The text says that it is not so.
    Denied,
    /// The text says it, or that it is not so.
    About,
    /// The text says what would be if it were so.
    Supposed,
    /// The text says it and stands by it: it neither imagines it nor denies what it says of it. No rule asks for this; it is
    /// how everything counts that makes a criterion met.
    Upheld,
}

impl Manner {
    /// How many there are.
    pub const ALL: usize = Manner::Upheld as usize + 1;

    /// How something counts inside of an `any(…)` or the like, where this is asked for outside.
    pub fn then(self, wanted: Manner) -> Manner {
        if self == Manner::Upheld && wanted == Manner::Any { self } else { wanted }
    }

    /// How something counts behind a `!`: what must not be there need not be meant.
    pub fn to_deny(self) -> Manner {
        if self == Manner::Upheld { Manner::Meant } else { self }
    }
}

/// Which way something goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// There is more of it.
    Up,
    /// There is less of it.
    Down,
}

/// How much text a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stretch {
    /// What stands between two commas, or before or after a *because*.
    Clause,
    /// So many sentences beyond the first.
    Sentences(usize),
}

/// Why a rule cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// Bytes of the rule.
    pub span: Span,
    /// What is wrong there.
    pub trouble: RuleTrouble,
}

/// What is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleTrouble {
    /// A name that is no concept.
    UnknownConcept(String),
    /// A name that is no ask.
    UnknownAsk(String),
    /// Something called like a function that is none.
    UnknownFunction(String),
    /// A function with the wrong number of arguments, and what it takes.
    Arguments(&'static str),
    /// Something else was expected here.
    Expected(&'static str),
    /// One manner inside another: only the inner one would count.
    MannerInside,
    /// Brackets nest too deep.
    TooDeep,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.trouble {
            RuleTrouble::UnknownConcept(name) => write!(f, "there is no concept `{name}`"),
            RuleTrouble::UnknownAsk(name) => write!(f, "there is no ask `{name}`"),
            RuleTrouble::UnknownFunction(name) => write!(f, "there is no function `{name}`"),
            RuleTrouble::Arguments(takes) => write!(f, "this takes {takes}"),
            RuleTrouble::Expected(what) => write!(f, "{what} expected"),
            RuleTrouble::MannerInside => f.write_str("one manner stands inside another, and only the inner one would count"),
            RuleTrouble::TooDeep => f.write_str("brackets nest too deep"),
        }
    }
}

impl std::error::Error for RuleError {}

/// What the names in a rule stand for.
pub trait Names {
    /// The place of a concept.
    fn concept(&self, name: &str) -> Option<usize>;
    /// The place of an ask.
    fn ask(&self, id: &str) -> Option<usize>;
}

impl Rule {
    /// Understands a rule, or says where and why not.
    pub fn parse(source: &str, names: &dyn Names) -> Result<Rule, RuleError> {
        let mut reader = Reader { source, at: 0, depth: 0, in_manner: false, names };
        let rule = reader.either()?;
        reader.space();
        if reader.at < source.len() {
            let next = reader.next_char_end();
            return Err(RuleError { span: Span::new(reader.at, next), trouble: RuleTrouble::Expected("`&`, `|` or the end") });
        }
        Ok(rule)
    }

    /// The concepts it names, for finding circles among concepts that are rules.
    pub fn concepts(&self) -> Vec<usize> {
        match self {
            Rule::All(rules) | Rule::Some(_, rules) => rules.iter().flat_map(Rule::concepts).collect(),
            Rule::Not(rule) | Rule::As(_, rule) | Rule::In(_, rule) | Rule::Opens(rule) => rule.concepts(),
            Rule::Before(a, b) => [a.concepts(), b.concepts()].concat(),
            Rule::Says(concept) | Rule::Moves(_, concept) => vec![*concept],
            Rule::Less(a, b) | Rule::Compares(a, b) | Rule::Torn(a, b) => vec![*a, *b],
            Rule::Side(a, b, rule) => [vec![*a, *b], rule.concepts()].concat(),
            Rule::Right(_) | Rule::Answered(_) | Rule::Greater(..) | Rule::Fewer(_) | Rule::Listed | Rule::Untrue => Vec::new(),
        }
    }
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
    depth: usize,
    /// Whether an `any(…)` or the like is open.
    in_manner: bool,
    names: &'s dyn Names,
}

impl Reader<'_> {
    fn space(&mut self) {
        let rest = &self.source[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn next_char_end(&self) -> usize {
        self.at + self.source[self.at..].chars().next().map_or(0, char::len_utf8)
    }

    fn takes(&mut self, c: char) -> bool {
        self.space();
        let there = self.source[self.at..].starts_with(c);
        if there {
            self.at += c.len_utf8();
        }
        there
    }

    fn expected<T>(&self, what: &'static str) -> Result<T, RuleError> {
        Err(RuleError { span: Span::new(self.at, self.next_char_end()), trouble: RuleTrouble::Expected(what) })
    }

    fn either(&mut self) -> Result<Rule, RuleError> {
        let mut rules = vec![self.all()?];
        while self.takes('|') {
            rules.push(self.all()?);
        }
        Ok(if rules.len() == 1 { rules.swap_remove(0) } else { Rule::Some(1, rules) })
    }

    fn all(&mut self) -> Result<Rule, RuleError> {
        let mut rules = vec![self.not()?];
        while self.takes('&') {
            rules.push(self.not()?);
        }
        Ok(if rules.len() == 1 { rules.swap_remove(0) } else { Rule::All(rules) })
    }

    fn not(&mut self) -> Result<Rule, RuleError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(RuleError { span: Span::new(self.at, self.at), trouble: RuleTrouble::TooDeep });
        }
        let rule = if self.takes('!') {
            Rule::Not(Box::new(self.not()?))
        } else if self.takes('(') {
            let rule = self.either()?;
            if !self.takes(')') {
                return self.expected("`)`");
            }
            rule
        } else {
            self.named()?
        };
        self.depth -= 1;
        Ok(rule)
    }

    /// A word of the language: letters, digits, `_`, `.` and `-`.
    fn word(&mut self) -> (String, Span) {
        self.space();
        let start = self.at;
        let word: String = self.source[start..].chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-')).collect();
        self.at += word.len();
        (word, Span::new(start, self.at))
    }

    fn named(&mut self) -> Result<Rule, RuleError> {
        let (name, span) = self.word();
        if name.is_empty() {
            return self.expected("a concept, a function or `(`");
        }
        if !self.takes('(') {
            return match self.names.concept(&name) {
                Some(concept) => Ok(Rule::Says(concept)),
                None if name == "listed" => Ok(Rule::Listed),
                None if name == "untrue" => Ok(Rule::Untrue),
                None => Err(RuleError { span, trouble: RuleTrouble::UnknownConcept(name) }),
            };
        }
        let number = match name.as_str() {
            "near" | "some" | "fewer" => {
                let (digits, span) = self.word();
                let Ok(number) = digits.parse::<usize>() else {
                    return Err(RuleError { span, trouble: RuleTrouble::Expected("a number") });
                };
                if name != "fewer" && !self.takes(',') {
                    return self.expected("`,`");
                }
                number
            }
            _ => 0,
        };
        let rule = match name.as_str() {
            "fewer" => Rule::Fewer(number),
            "right" => Rule::Right(self.ask()?),
            "answered" => Rule::Answered(self.ask()?),
            "greater" => {
                let first = self.ask()?;
                if !self.takes(',') {
                    return self.expected("`,`");
                }
                Rule::Greater(first, self.ask()?)
            }
            _ => self.function(&name, number, span)?,
        };
        if self.takes(')') { Ok(rule) } else { self.expected("`)`") }
    }

    fn ask(&mut self) -> Result<usize, RuleError> {
        let (id, span) = self.word();
        self.names.ask(&id).ok_or(RuleError { span, trouble: RuleTrouble::UnknownAsk(id) })
    }

    fn function(&mut self, name: &str, number: usize, span: Span) -> Result<Rule, RuleError> {
        let manner = match name {
            "any" => Some(Manner::Any),
            "denied" => Some(Manner::Denied),
            "about" => Some(Manner::About),
            "supposed" => Some(Manner::Supposed),
            "firm" => Some(Manner::Firm),
            _ => None,
        };
        let outside = self.in_manner;
        if manner.is_some() && outside {
            return Err(RuleError { span, trouble: RuleTrouble::MannerInside });
        }
        self.in_manner |= manner.is_some();
        let mut rules = vec![self.either()?];
        while self.takes(',') {
            rules.push(self.either()?);
        }
        self.in_manner = outside;
        let wrong = |takes| Err(RuleError { span, trouble: RuleTrouble::Arguments(takes) });
        let two = |mut rules: Vec<Rule>| (rules.len() == 2).then(|| (rules.swap_remove(0), rules.swap_remove(0)));
        let all = |mut rules: Vec<Rule>| Box::new(if rules.len() == 1 { rules.swap_remove(0) } else { Rule::All(rules) });
        if let Some(manner) = manner {
            return Ok(Rule::As(manner, all(rules)));
        }
        Ok(match name {
            "some" => Rule::Some(number, rules),
            "near" => Rule::In(Stretch::Sentences(number), all(rules)),
            "sentence" => Rule::In(Stretch::Sentences(0), all(rules)),
            "clause" => Rule::In(Stretch::Clause, all(rules)),
            "opens" => Rule::Opens(all(rules)),
            "before" => match two(rules) {
                Some((a, b)) => Rule::Before(Box::new(a), Box::new(b)),
                None => return wrong("two rules"),
            },
            "less" | "compares" | "torn" => match (name, two(rules)) {
                ("less", Some((Rule::Says(a), Rule::Says(b)))) => Rule::Less(a, b),
                ("compares", Some((Rule::Says(a), Rule::Says(b)))) => Rule::Compares(a, b),
                (_, Some((Rule::Says(a), Rule::Says(b)))) if name == "torn" => Rule::Torn(a, b),
                _ => return wrong("two concepts"),
            },
            "rises" | "falls" => match rules.as_slice() {
                [Rule::Says(concept)] => Rule::Moves(if name == "rises" { Direction::Up } else { Direction::Down }, *concept),
                _ => return wrong("one concept"),
            },
            "side" => match <[Rule; 3]>::try_from(rules) {
                Ok([Rule::Says(a), Rule::Says(b), rule]) => Rule::Side(a, b, Box::new(rule)),
                _ => return wrong("two concepts and a rule"),
            },
            _ => return Err(RuleError { span, trouble: RuleTrouble::UnknownFunction(name.to_owned()) }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Three;

    impl Names for Three {
        fn concept(&self, name: &str) -> Option<usize> {
            ["a", "b", "c"].iter().position(|known| *known == name)
        }

        fn ask(&self, id: &str) -> Option<usize> {
            (id == "b.latency").then_some(0)
        }
    }

    #[test]
    fn rules_bind_as_they_read() {
        let parse = |source| Rule::parse(source, &Three).expect("a good rule");
        let says = Rule::Says;
        assert_eq!(parse("a | b & !c"), Rule::Some(1, vec![says(0), Rule::All(vec![says(1), Rule::Not(Box::new(says(2)))])]));
        assert_eq!(parse("near(2, a, b)"), Rule::In(Stretch::Sentences(2), Box::new(Rule::All(vec![says(0), says(1)]))));
        assert_eq!(parse("right(b.latency) & fewer(12)"), Rule::All(vec![Rule::Right(0), Rule::Fewer(12)]));
        assert_eq!(parse("compares(a, b) & !untrue"), Rule::All(vec![Rule::Compares(0, 1), Rule::Not(Box::new(Rule::Untrue))]));
        assert_eq!(parse("side(a, b, falls(c))"), Rule::Side(0, 1, Box::new(Rule::Moves(Direction::Down, 2))));
        assert_eq!(parse("denied(a) & listed"), Rule::All(vec![Rule::As(Manner::Denied, Box::new(says(0))), Rule::Listed]));
    }

    #[test]
    fn authors_are_told_where_a_rule_is_broken() {
        let cases: &[(&str, usize, usize, RuleTrouble)] = &[
            ("a & d", 4, 5, RuleTrouble::UnknownConcept("d".into())),
            ("right(b.lat)", 6, 11, RuleTrouble::UnknownAsk("b.lat".into())),
            ("nah(a)", 0, 3, RuleTrouble::UnknownFunction("nah".into())),
            ("before(a)", 0, 6, RuleTrouble::Arguments("two rules")),
            ("less(a & b, c)", 0, 4, RuleTrouble::Arguments("two concepts")),
            ("side(a, b)", 0, 4, RuleTrouble::Arguments("two concepts and a rule")),
            ("rises(a, b)", 0, 5, RuleTrouble::Arguments("one concept")),
            ("(a", 2, 2, RuleTrouble::Expected("`)`")),
            ("a b", 2, 3, RuleTrouble::Expected("`&`, `|` or the end")),
            ("denied(any(a))", 7, 10, RuleTrouble::MannerInside),
            ("near(x, a)", 5, 6, RuleTrouble::Expected("a number")),
            ("", 0, 0, RuleTrouble::Expected("a concept, a function or `(`")),
        ];
        for (rule, start, end, trouble) in cases {
            let error = Rule::parse(rule, &Three).expect_err(rule);
            assert_eq!((error.span, &error.trouble), (Span::new(*start, *end), trouble), "`{rule}`");
        }
        assert_eq!(Rule::parse(&"(".repeat(1000), &Three).expect_err("deep").trouble, RuleTrouble::TooDeep);
    }
}
