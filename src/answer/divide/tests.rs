use super::*;
use crate::answer::Kind;

fn outline() -> Outline {
    let item = |id: &str, title: &str, topics: &[&str]| Item {
        id: id.to_owned(),
        title: title.to_owned(),
        topics: topics.iter().map(|&topic| topic.to_owned()).collect(),
        text: String::new(),
    };
    let part = |id: &str, title: &str, topics: &[&str], items: Vec<Item>| Part {
        id: id.to_owned(),
        title: title.to_owned(),
        topics: topics.iter().map(|&topic| topic.to_owned()).collect(),
        text: String::new(),
        asks_itself: false,
        items,
    };
    let fixes =
        vec![item("e1", "Accumulation", &["accumulat*"]), item("e2", "Sharding", &["shard*"]), item("e3", "One node", &["inside a node"])];
    let mut outline = Outline::new(vec![
        part("a", "Size of the message", &["message size"], vec![]),
        part("b", "Time on the ring", &["ring time"], vec![]),
        part("c", "Share of the step", &[], vec![]),
        part("d", "Verdict", &[], vec![]),
        part("e", "Three fixes", &["remedies"], fixes),
    ]);
    outline.parts[0].text = "How many bytes does one exchange of the gradient carry? Say it in bytes and in MiB.".to_owned();
    outline
}

/// The sections of an answer on one line: names, sign of certainty, text.
fn divided(text: &str, kind: Kind) -> String {
    let answer = Answer::read("test", text, kind);
    let sections = divide(&answer, &outline());
    let shown = sections.iter().map(|section| {
        let names: Vec<&str> = section.names.iter().map(|name| name.item.as_deref().unwrap_or(&name.part)).collect();
        let names = match section.sort {
            Sort::Preamble => "-".to_owned(),
            Sort::Summary => "sum".to_owned(),
            Sort::Answer => names.join("+"),
        };
        let sign = match section.certainty {
            Certainty::Sure => "",
            Certainty::Likely => "~",
            Certainty::Guess => "?",
        };
        let text = section
            .stretches
            .iter()
            .map(|stretch| answer.blocks[stretch.block].passage.text()[stretch.range.clone()].trim().replace('\n', " "));
        format!("{names}{sign}[{}]", text.collect::<Vec<_>>().join("|"))
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn labels_in_their_many_forms() {
    for (text, expected) in [
        ("intro\n\n(a) one\n\n(b) two", "-[intro] a[one] b[two]"),
        ("a) one\n\nb) two", "a[one] b[two]"),
        ("a. one\n\nb. two", "a[one] b[two]"),
        ("**a.** one\n\n**b.** two", "a[one] b[two]"),
        ("**(a)** one\n\n**(b)** two", "a[one] b[two]"),
        ("## (a)\none\n## (b)\ntwo", "a[one] b[two]"),
        ("### Part A\none\n### Part B\ntwo", "a[one] b[two]"),
        ("# Question A\none\n# Question B\ntwo", "a[one] b[two]"),
        ("## Problem 3(a)\none\n## Problem 3(b)\ntwo", "a[one] b[two]"),
        ("`a`\n\none\n\n`b`\n\ntwo\n\n`c`\n\nthree", "a[one] b[two] c[three]"),
        ("- (a) one\n- (b) two", "a[one] b[two]"),
        ("> (a) Say it.\n\none\n\n> (b) And it.\n\ntwo", "a[one] b[two]"),
        ("(a) one\n(b) two\n(c) three", "a[one] b[two] c[three]"),
        ("(a) 2.6 GB, (b) 1.24 ms (c) 50 %", "a[2.6 GB,] b~[1.24 ms] c~[50 %]"),
        ("a: one\n\nb: two\n\nc: three", "a[one] b[two] c[three]"),
        ("(b) two\n\n(a) one", "b[two] a[one]"),
        ("(a)+(b) both\n\n(c) three", "a+b[both] c[three]"),
        ("# A\none\n# B\ntwo\n# C\nthree", "a[one] b[two] c[three]"),
        ("(a) one\n\n(c) skipped", "a[one] c[skipped]"),
        ("a. 2.6 GB b. 1.24 ms c. 50 %", "a[2.6 GB] b~[1.24 ms] c~[50 %]"),
        ("a: 2.6 GB; b: 1.24 ms; c: 50 %", "a[2.6 GB;] b~[1.24 ms;] c~[50 %]"),
        ("## Problem 3, part (a)\none\n## Problem 3, part (b)\ntwo", "a[one] b[two]"),
        ("a  one\nb  two\nc  three", "a[one] b[two] c[three]"),
        ("a one\nb two\nc three\nd four", "a[one] b[two] c[three] d[four]"),
        ("a one is one\nc two", "-[a one is one c two]"),
        ("(a)–(c) all of it\n\n(d) no", "a+b+c[all of it] d[no]"),
        ("## Size (a)\none\n## Time (b)\ntwo", "a[one] b[two]"),
        ("(a, b) both\n\n(c) three", "a+b[both] c[three]"),
    ] {
        assert_eq!(divided(text, Kind::Markdown), expected, "{text}");
    }
}

#[test]
fn references_and_words_are_no_labels() {
    for (text, expected) in [
        ("(a) one, see (b) and (c)\n\n(b) two, from part (a)", "a[one, see (b) and (c)] b[two, from part (a)]"),
        (
            "(a) one\n\n(b) this follows from the size in\n(a) and from the rate",
            "a[one] b[this follows from the size in (a) and from the rate]",
        ),
        ("(b) two\n\nb = 2 B is given, A simple one", "b[two|b = 2 B is given, A simple one]"),
        ("A summary of mine\n\nB is large", "-[A summary of mine|B is large]"),
        ("B: 25 GB/s\n\n(a) one\n\n(b) two", "-[B: 25 GB/s] a[one] b[two]"),
    ] {
        assert_eq!(divided(text, Kind::Markdown), expected, "{text}");
    }
}

#[test]
fn numbers_and_topics_stand_for_letters_if_they_do_so_throughout() {
    for (text, expected) in [
        ("1. one\n2. two\n3. three\n4. four\n5. five", "a~[one] b~[two] c~[three] d~[four] e~[five]"),
        ("1) one\n\nmore\n\n2) two\n\n3) three", "a~[one|more] b~[two] c~[three]"),
        ("# Question 1\none\n# Question 2\ntwo\n# Question 3\nthree", "a~[one] b~[two] c~[three]"),
        ("## Message size\none\n## Ring time\ntwo\n## Verdict\nno", "a~[one] b~[two] d~[no]"),
        ("**Message size.** one\n\n**Ring time.** two\n\n**Verdict.** 1. no", "a~[one] b~[two] d~[1. no]"),
        ("1. one\n2. two\n3. three\n5. five", "a~[one] b~[two] c~[three] e~[five]"),
        ("## 3.1 Size\none\n## 3.2 Time\ntwo\n## 3.3 Share\nthree", "a~[Size|one] b~[Time|two] c~[Share|three]"),
        ("two steps:\n1. one\n2. two", "-[two steps:|one|two]"),
        ("(a) one\n\n(b) two\n\n**The verdict.** no\n\n(e) all", "a[one] b[two] d~[no] e[all]"),
        ("Message size: 1 GB\n\nRing time: 2 ms\n\nRemedies: 3", "a~[1 GB] b~[2 ms] e~[3]"),
    ] {
        assert_eq!(divided(text, Kind::Markdown), expected, "{text}");
    }
}

#[test]
fn items_under_numbers_words_and_topics() {
    for (text, expected) in [
        ("(e)\n1. four\n2. none\n3. fast", "e[] e1[four] e2[none] e3[fast]"),
        ("(e) 1. four, 2. none, 3. fast", "e1[four,] e2[none,] e3[fast]"),
        ("(e)\n1: four\n2: none", "e[] e1[four] e2[none]"),
        ("(e1) four\n\n(e2) none", "e1[four] e2[none]"),
        ("e.1 four\n\ne.2 none", "e1[four] e2[none]"),
        ("e) 1. four\n\n2. none", "e1[four] e2[none]"),
        ("(e)(i) four\n\n(e)(ii) none", "e1[four] e2[none]"),
        ("(e) Fix 1: four. Fix 2: none.", "e[] e1[four.] e2[none.]"),
        ("(e)\n*Fix 1 (x):* four\n\n*Fix 3:* fast", "e[] e1[(x): four] e3[fast]"),
        (
            "(e)\n- Accumulating helps\n- Sharding does not\n- Inside a node it does",
            "e[] e1~[Accumulating helps] e2~[Sharding does not] e3~[Inside a node it does]",
        ),
        (
            "(e) First, do less. Second, do it later. Third, do not.",
            "e[] e1~[First, do less.] e2~[Second, do it later.] e3~[Third, do not.]",
        ),
        ("(e)\n3. fast", "e[] e3[fast]"),
        ("(e)\n- I would accumulate four\n- i would not shard", "e[] e1~[I would accumulate four] e2~[i would not shard]"),
        ("(e1)–(e3) 13, 50 and 4 %", "e1+e2+e3[13, 50 and 4 %]"),
        ("> (e) What? 1. Accumulate. 2. Shard.\n\n13 %, 50 %", "e[13 %, 50 %]"),
        ("(e) first\n\n- (1) four\n- (2) none", "e[first] e1[four] e2[none]"),
        ("**(e)** e1 13 %   e2 50 %   e3 4 %", "e[] e1~[13 %] e2~[50 %] e3~[4 %]"),
    ] {
        assert_eq!(divided(text, Kind::Markdown), expected, "{text}");
    }
}

#[test]
fn tables_and_summaries() {
    for (text, expected) in [
        ("| part | value |\n|--|--|\n| (a) | 2 GB |\n| (b) | 1 ms |\n\n(c) three", "-[part|value] a[(a)|2 GB] b[(b)|1 ms] c[three]"),
        ("| a | b | c |\n|--|--|--|\n| 1 | 2 | 3 |", "-[a|b|c|1|2|3]"),
        ("| (a) | (b) |\n|--|--|\n| 2 GB | 1 ms |", "a[(a)|2 GB] b[(b)|1 ms]"),
        (
            "(e)\n\n| fix | ratio |\n|--|--|\n| accumulation | 13 % |\n| sharding | 50 % |",
            "e[fix|ratio] e1[accumulation|13 %] e2[sharding|50 %]",
        ),
        ("(a) one\n\n## Summary\nall of it\n\n(b) two", "a[one] sum[Summary|all of it] b[two]"),
        ("## (a)\none\n## (b)\ntwo\n## Notes\nnone", "a[one] b[two] -[Notes|none]"),
    ] {
        assert_eq!(divided(text, Kind::Markdown), expected, "{text}");
    }
}

#[test]
fn faulty_labels() {
    let text = "(a) one\n\n(b) two\n\n(b) three\n\n(d) four";
    assert_eq!(divided(text, Kind::Markdown), "a[one] b[two] c?[three] d[four]");
    // One letter behind from the second on, as the topic shows.
    let text = "(b) two\n\n(c) three\n\n(c) my verdict is no\n\n(d) sharding";
    assert_eq!(divided(text, Kind::Markdown), "b[two] c[three] d?[my verdict is no] e?[] e2~[sharding]");
}

#[test]
fn a_copied_question_is_not_the_answer() {
    let text = "(a) How many bytes does one exchange of the gradient carry? Say it in bytes and in MiB. 2.6 GB";
    assert_eq!(divided(text, Kind::Markdown), "a[2.6 GB]");
    assert_eq!(divided("> (a) What?\n\n> 2.6 GB", Kind::Markdown), "a[What?|2.6 GB]");
}

#[test]
fn an_item_that_a_program_printed_ends_with_its_output() {
    let cell = |kind: &str, text: &str| format!("{{\"cell_type\": \"{kind}\", \"source\": \"{text}\"");
    let printed = "\"outputs\": [{\"text\": \"e1 13 %   e2 50 %\"}]";
    let text = format!(
        "{{\"cells\": [{}}}, {}, {printed}}}, {}}}]}}",
        cell("markdown", "(e) All"),
        cell("code", "x"),
        cell("markdown", "so it is")
    );
    assert_eq!(divided(&text, Kind::Notebook), "e[All|x] e1[13 %] e2~[50 %] e~[so it is]");
}

#[test]
fn keys_of_structured_answers() {
    for (text, expected) in [
        (r#"{"a": {"bytes": "one"}, "e1": {"ratio": "x"}, "e": {"2": "y", "accumulation": "z"}}"#, "a[one] e1[x] e2[y] e1[z]"),
        (r#"{"drill3": {"part_a": "one", "b_total": "two"}}"#, "a[one] b[two]"),
        (r#"{"question 1": "one", "question 2": "two"}"#, "a[one] b[two]"),
        (
            r#"{"a1": "one", "b1": "two", "b2": "three", "e1": "sharding: x", "e2": "accumulation: y"}"#,
            "a[one] b[two|three] e2[sharding: x] e1[accumulation: y]",
        ),
        (r#"{"name": "me", "message size": "one"}"#, "-[me] a[one]"),
    ] {
        assert_eq!(divided(text, Kind::Json), expected, "{text}");
    }
}

#[test]
fn labels_at_the_ends_of_what_they_name() {
    for (text, expected) in [
        ("one 1. (a)\n\ntwo 2. (b)\n\nmore of three\n\nthree 3. (c)", "a~[one 1. (a)] b~[two 2. (b)] c~[more of three|three 3. (c)]"),
        // Two are none, and what is only pointed at is none either.
        ("one 1. (a)\n\ntwo 2. (b)", "-[one 1. (a)|two 2. (b)]"),
        ("one\n\nNow the ring (b). Two.\n\n(c) three\n\n(d) four", "-[one] b~[Now the ring (b). Two.] c[three] d[four]"),
        ("one\n\nThis is like in (b). Two.\n\n(c) three\n\n(d) four", "-[one|This is like in (b). Two.] c[three] d[four]"),
    ] {
        assert_eq!(divided(text, Kind::Markdown), expected, "{text}");
    }
}

#[test]
fn items_between_semicolons() {
    for (text, expected) in [
        ("d) x\n\ne) 12 %; same, as (a; b) says; 4 %, but small", "d[x] e[] e1~[12 %;] e2~[same, as (a; b) says;] e3~[4 %, but small]"),
        // As many as are asked for, and no other number.
        ("d) x\n\ne) 12 %; 4 %", "d[x] e[12 %; 4 %]"),
        ("d) x\n\ne) 12 %; ; 4 %", "d[x] e[12 %; ; 4 %]"),
    ] {
        assert_eq!(divided(text, Kind::Text), expected, "{text}");
    }
}
