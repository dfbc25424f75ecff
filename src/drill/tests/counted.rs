//! How criteria count together: what an author may say, and what is told when it does not hold.

use super::*;
use crate::drill::{Cap, Condition};

/// A rubric in which criteria hang on each other, exclude each other, share a cap and take points away.
const COUNTED: &str = r#"format = 1
id = "ring"
drill = "ring"
total = 11

[values]
"a.total" = 3

[[criterion]]
id = "a.why"
part = "a"
points = 2
kind = "hand"
only_if = "a.total is right"
level = [ { share = 0.25, says = "names it" }, { share = 0.75, says = "explains half of it" } ]

[[criterion]]
id = "a.more"
part = "a"
points = 4
kind = "hand"
only_if = "a.why is partly met"
either = "way"

[[criterion]]
id = "a.else"
part = "a"
points = 3
kind = "hand"
only_if = "a.why"
either = "way"

[[criterion]]
id = "a.further"
part = "a"
points = 4
kind = "hand"

[[criterion]]
id = "a.sloppy"
part = "a"
deduct = 1
kind = "hand"

[[cap]]
of = ["a.more", "a.else", "a.further"]
at_most = 6
"#;

#[test]
fn criteria_count_together_as_the_author_says() {
    let drill = load(DRILL, COUNTED).unwrap_or_else(|found| panic!("{found:#?}"));
    let rubric = &drill.rubric;
    assert_eq!(rubric.possible, 11.0);
    let levels: Vec<f64> = rubric.criteria[0].levels.iter().map(|level| level.share).collect();
    assert_eq!((levels, rubric.scheme.worths[0].partly), (vec![0.25, 0.75], 0.75));
    let conditions: Vec<_> = rubric.scheme.worths.iter().map(|worth| worth.only_if.clone()).collect();
    let wanted = [Some(Condition::Right("a.total".to_owned())), Some(Condition::PartlyMet(0)), Some(Condition::Met(0)), None, None];
    assert_eq!(conditions, wanted);
    assert!(rubric.scheme.worths[4].deducts && rubric.criteria[4].deducts);
    assert_eq!(rubric.scheme.caps, [Cap { of: vec![1, 2, 3], at_most: 6.0 }]);
}

#[test]
fn authors_are_told_what_is_wrong_with_how_criteria_count() {
    for (from, to, code, title, places, help) in [
        (
            "a.total is right",
            "a.totl is right",
            "unknown-condition",
            "neither a criterion nor an ask is called `a.totl`",
            &["\"a.totl is right\""][..],
            "did you mean `a.total`?",
        ),
        (
            "a.why is partly met",
            "a.why is good",
            "unknown-condition",
            "`a.why is good` is no condition",
            &["\"a.why is good\""],
            "a condition is `CRITERION is met`, `CRITERION is partly met` or `ASK is right`",
        ),
        ("\"a.total is right\"", "\"a.why\"", "cycle", "`a.why` cannot wait for itself", &["\"a.why\""], ""),
        ("\"a.total is right\"", "\"a.else\"", "cycle", "`a.why` waits for itself", &["\"a.else\""], ""),
        (
            "share = 0.25",
            "share = 1.0",
            "out-of-range",
            "a level lies between nothing and all of the points",
            &["1.0"],
            "write a share between 0 and 1; all of it is `met`, nothing is `not_met`",
        ),
        (
            "only_if = \"a.why\"\neither = \"way\"",
            "either = \"ways\"",
            "bad-criterion",
            "nothing else is an alternative of `ways`",
            &["\"ways\""],
            "did you mean `way`?",
        ),
        ("deduct = 1\n", "deduct = 1\neither = \"way\"\n", "bad-criterion", "a deduction is no alternative to anything", &["\"way\""], ""),
        (
            "deduct = 1\n",
            "deduct = 1\npoints = 2\n",
            "bad-criterion",
            "a criterion gives points or deducts them, not both",
            &["1", "2"],
            "",
        ),
        (
            "\"a.else\", ",
            "",
            "bad-criterion",
            "the alternatives of `way` stand under the cap only in part",
            &["[[cap]]", "\"a.else\""],
            "add `a.else` to `of`",
        ),
        ("\"a.further\"]", "\"a.sloppy\"]", "bad-criterion", "a deduction is not under a cap", &["\"a.sloppy\""], ""),
        (
            "\"a.further\"]",
            "\"a.ferther\"]",
            "unknown-criterion",
            "no criterion is called `a.ferther`",
            &["\"a.ferther\""],
            "did you mean `a.further`?",
        ),
        ("\"a.further\"]", "\"a.more\"]", "bad-criterion", "`a.more` stands under a cap already", &["\"a.more\"", "\"a.more\""], ""),
        ("at_most = 6", "at_most = 0", "out-of-range", "a cap leaves some points to be had", &["0"], ""),
        ("total = 11", "total = 14", "points-do-not-add-up", "the points come to 11, not 14", &["14"], ""),
    ] {
        let rubric = COUNTED.replacen(from, to, 1);
        assert_ne!(rubric, COUNTED, "`{from}` is not there to be replaced");
        let Err(found) = load(DRILL, &rubric) else { panic!("nothing is wrong with `{to}`") };
        let all: Vec<_> = found.iter().map(|found| told(found, DRILL, &rubric)).collect();
        assert!(all.contains(&(code, title, places.to_vec(), help)), "`{to}`\nwanted {:#?}\nfound {all:#?}", (code, title, places, help));
    }
}
