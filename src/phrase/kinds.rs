//! Kinds of words that are a value in any drill: "unchanged", "saturates".
//!
//! A drill names a kind in angle brackets where it would list the words: `words = ["<unchanged>"]`.

/// The kinds, each with its phrases.
const KINDS: [(&str, &[&str]); 3] = [("unchanged", UNCHANGED), ("hardly", HARDLY), ("saturated", SATURATED)];

/// The names of all kinds.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name)
}

/// The name of the kind of words that an author wrote for a phrase: the `unchanged` of `<unchanged>`.
pub fn kind_named(phrase: &str) -> Option<&str> {
    let name = phrase.trim().strip_prefix('<')?.strip_suffix('>')?;
    name.chars().all(|c| c.is_ascii_lowercase()).then_some(name).filter(|name| !name.is_empty())
}

/// The phrases of a kind.
pub fn of_kind(name: &str) -> Option<&'static [&'static str]> {
    KINDS.iter().find(|(kind, _)| *kind == name).map(|(_, phrases)| *phrases)
}

/// Nothing changes, or as good as nothing.
const UNCHANGED: &[&str] = &[
    "[essentially|practically|nearly|almost|about|basically|roughly|virtually|still|exactly|quite|mostly] \
     (unchanged|unaffected|constant|const|flat|steady|untouched|stable)",
    "(remains|stays|is|are) [essentially|practically|nearly|almost|about|basically|roughly|virtually|more or less] equal",
    "(pretty much|more or less|as good as) (equal|unchanged|unaffected|constant|const|flat|the same|nothing)",
    "[essentially|practically|nearly|almost|about|basically|roughly|virtually|exactly|still] [the] same",
    "(stays|remains|is|keeps) [about|roughly|nearly|almost|practically|basically|more or less|pretty much|exactly] [the] same",
    "(stays|remains) [put]",
    "not [really|much|noticeably|even] (change|changed|move|moved|grow|grown|increase|increased|depend|budge|budged|notice|care)",
    "not [really|much] (depend on|care (about|for)|know|notice|feel) [the] [number of] (P|N|GPUs|ranks|ring|nodes)",
    "(no|zero) (change|difference)",
    "independent of (P|N|the [number of] (GPUs|ranks|ring))",
    "(as|like) (before|it was)",
    "(stays|remains|is) [pretty much|more or less|nearly|almost|about|roughly|basically] (where|what|as|how) it (is|was|has been)",
    "[pretty much|more or less|nearly|almost|about|roughly|basically] (where|what|as good as|as) it was",
    "nothing (happens|changes)",
    "(changes|alters) nothing",
    "(leaves|leave) ..4 (as|where|how|what) it (is|was)",
    "(leaves|leave) ..4 alone",
    "[fast|nahezu|praktisch|beinahe|quasi|etwa|ungefähr|so gut wie|genau] (gleich|konstant|unverändert)",
    "[bleibt|ist] [fast|nahezu|praktisch|beinahe|quasi|etwa|genau] (dieselbe|derselbe|dasselbe|das Gleiche|die gleiche|der gleiche)",
    "(bleibt|bleiben) [fast|nahezu|praktisch|beinahe|quasi|etwa] [so]",
    "(ändert|ändern|verändert|verändern) sich [fast|praktisch] nicht",
    "(ändert|verändert|ändern|bringt) [fast|praktisch|gar] nichts",
    "keine (Änderung|Veränderung)",
    "wie (vorher|zuvor|bisher|gehabt)",
    "(hängt|hängen) nicht von ..2 ab",
    "unabhängig von ..2 (P|GPUs|Ranks)",
];

/// It changes too little to matter.
const HARDLY: &[&str] = &[
    "(hardly|barely|scarcely) (changes|changed|moves|moved|grows|grown|increases|increased|rises|any|different|more|budges|notices|affected|at all)",
    "[nearly|almost|practically|virtually] no [real|big|significant|noticeable|visible] (change|growth|increase|difference)",
    "(changes|moves|grows|increases|rises) (hardly|barely|scarcely)",
    "(changes|moves|grows|increases|rises|creeps [up]|goes up) [only|just] [very] (slightly|marginally|minimally|negligibly|a [tiny] (bit|little))",
    "negligible (change|growth|increase)",
    "(does|do|did|will|would|could) hardly (change|move|grow|increase|rise)",
    "(ändert|verändert|bewegt) sich [fast|nur] (kaum|wenig|minimal|unwesentlich)",
    "(wächst|steigt) [fast] (kaum|gar nicht|nicht)",
    "(wächst|steigt) nur [sehr] (wenig|leicht|minimal|unwesentlich)",
    "kaum (größer|mehr|länger|anders|verändert)",
];

/// It has come so near to its limit that it grows no more.
const SATURATED: &[&str] = &[
    "[already|nearly|almost|practically] saturat*",
    "[in] saturation",
    "(approaches|reaches|nears|hits|converges to|close to|near|at) (its|the|a) [upper] (limit|ceiling|asymptote|maximum|plateau)",
    "reached (its|the|a) [upper] (limit|ceiling|asymptote|maximum|plateau)",
    "(converges|converged|plateau*)",
    "level(s|ed) (off|out)",
    "[in] Sättigung",
    "gesättigt",
    "(nähert|näher) sich ..3 (Grenz*|Maximum)",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::{Phrase, Phrases};

    #[test]
    fn every_phrase_of_a_kind_is_well_formed() {
        for kind in kinds() {
            for phrase in of_kind(kind).expect("a kind has phrases") {
                assert!(Phrase::parse(phrase).is_ok(), "{kind}: {phrase}");
            }
        }
    }

    #[test]
    fn words_of_a_kind_are_found_in_what_people_write() {
        let cases = [
            ("unchanged", "the bandwidth term is as good as constant"),
            ("unchanged", "it remains nearly equal"),
            ("unchanged", "bandwidth: the same"),
            ("unchanged", "it doesn't depend on P"),
            ("unchanged", "bandwidth hasn't changed"),
            ("unchanged", "the ratio remains pretty much what it was"),
            ("unchanged", "ändert sich nicht"),
            ("unchanged", "Bandbreite bleibt fast gleich"),
            ("hardly", "the data term hardly moves"),
            ("hardly", "207.2 ms (hardly changed)"),
            ("hardly", "it grows only slightly"),
            ("hardly", "wächst kaum"),
            ("saturated", "bw is in saturation"),
            ("saturated", "is already at its limit"),
            ("saturated", "ist schon gesättigt"),
        ];
        for (kind, text) in cases {
            let parsed: Vec<Phrase> = of_kind(kind).unwrap_or_default().iter().filter_map(|phrase| Phrase::parse(phrase).ok()).collect();
            assert!(!Phrases::compile(&parsed).find(text).is_empty(), "{kind}: {text}");
        }
        assert_eq!(kind_named("<unchanged>"), Some("unchanged"));
        assert_eq!(kind_named("<"), None);
    }
}
