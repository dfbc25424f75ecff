//! How much two texts have in common: their words, pairs of words, and runs of letters. The same on every machine.

/// Letters in a run.
const RUN: usize = 4;
/// Longer texts are compared by their beginning.
const LONGEST: usize = 6_000;

/// What of a text is compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    /// Digests of words and of pairs of neighbors, ascending.
    words: Vec<u64>,
    /// Digests of runs of letters, ascending.
    runs: Vec<u64>,
}

impl Features {
    /// Those of a text.
    pub(super) fn of(text: &str) -> Features {
        let text: String = text.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let single = words.iter().map(|word| digest([*word]));
        let pairs = words.windows(2).map(|pair| digest(pair.iter().copied()));
        let mut features = Features { words: single.chain(pairs).collect(), runs: Vec::new() };
        let letters: Vec<char> = words.join(" ").chars().collect();
        let mut run = String::with_capacity(RUN * 4);
        for letters in letters.windows(RUN) {
            run.clear();
            run.extend(letters);
            features.runs.push(digest([run.as_str()]));
        }
        for list in [&mut features.words, &mut features.runs] {
            list.sort_unstable();
            list.dedup();
        }
        features
    }

    /// From 0, nothing in common, to 1, the same words in the same order.
    pub(super) fn likeness(&self, other: &Features) -> f64 {
        (common(&self.words, &other.words) + common(&self.runs, &other.runs)) / 2.0
    }
}

/// Twice what is in both over what is in each.
fn common(one: &[u64], other: &[u64]) -> f64 {
    let (mut at, mut to, mut both) = (0, 0, 0_u32);
    while at < one.len() && to < other.len() {
        match one[at].cmp(&other[to]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => to += 1,
            std::cmp::Ordering::Equal => {
                both += 1;
                at += 1;
                to += 1;
            }
        }
    }
    let all = u32::try_from(one.len() + other.len()).unwrap_or(u32::MAX);
    if all == 0 { 0.0 } else { f64::from(2 * both) / f64::from(all) }
}

/// FNV-1a: short, and the same everywhere.
fn digest<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for word in words {
        for byte in word.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_the_same_is_nearer() {
        let likeness = |one: &str, other: &str| Features::of(one).likeness(&Features::of(other));
        let text = "The all-reduce can hide behind the backward pass.";
        assert!((likeness(text, "the all-reduce can hide behind the backward pass") - 1.0).abs() < 1e-12);
        assert!((likeness("", "") - 0.0).abs() < 1e-12);
        let near = likeness(text, "The all-reduce can be hidden behind the backward computation.");
        let far = likeness(text, "Bandwidth dominates by two orders of magnitude.");
        assert!(near > 0.4 && far < 0.2, "{near} {far}");
    }
}
