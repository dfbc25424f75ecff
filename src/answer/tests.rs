//! What holds for every format and whatever a file says.

use proptest::prelude::{Strategy, any, prop, prop_oneof, proptest};

use super::*;
use crate::text::Span;

const KINDS: [Kind; 7] = [Kind::Markdown, Kind::Text, Kind::Latex, Kind::Typst, Kind::Notebook, Kind::Toml, Kind::Json];

/// Checks what must hold for every answer: places inside the file, in order, on characters; ranges inside the text.
fn check(text: &str, kind: Kind) {
    let answer = Answer::read("test", text, kind);
    for block in &answer.blocks {
        let passage = block.passage.text();
        let mut last = 0;
        for (at, c) in passage.char_indices() {
            let span = block.passage.span(at..at + c.len_utf8());
            assert!(text.get(span.range()).is_some(), "{kind:?}: {span:?} is outside of {text:?}");
            assert!(span.start >= last, "{kind:?}: {c:?} of {passage:?} leads back before what stands before it in {text:?}");
            last = span.start;
        }
        for range in block.struck.iter().chain(&block.strong) {
            assert!(passage.get(range.clone()).is_some(), "{kind:?}: {range:?} is outside of {passage:?}");
        }
    }
    let outline = Outline::new(
        ["a", "b", "c"]
            .map(|id| Part {
                id: id.to_owned(),
                title: format!("Part {id}"),
                items: vec![Item { id: format!("{id}1"), ..Item::default() }, Item { id: format!("{id}2"), ..Item::default() }],
                ..Part::default()
            })
            .to_vec(),
    );
    for section in divide(&answer, &outline) {
        for stretch in section.stretches {
            assert!(answer.blocks[stretch.block].passage.text().get(stretch.range.clone()).is_some(), "{kind:?}: {stretch:?} in {text:?}");
        }
    }
}

/// Pieces of all the markup there is, so that random texts hit upon its corners.
fn markup() -> impl Strategy<Value = String> {
    const PIECES: [&str; 100] = [
        "1.24",
        " ",
        "\n",
        "\n\n",
        "ms",
        "µs",
        "(a) ",
        "b) ",
        "**",
        "*",
        "_",
        "~~",
        "~",
        "`",
        "```",
        "$",
        "$$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "^",
        "_{",
        "^{",
        "\\frac",
        "\\text{",
        "\\mathrm{",
        "\\SI{",
        "\\qty[",
        "\\num{",
        "\\cdot",
        "\\mu ",
        "\\,",
        "&",
        "\\\\",
        "%",
        "#",
        "# ",
        "## ",
        "- ",
        "+ ",
        "1. ",
        "> ",
        "| ",
        "|--|",
        "<sup>",
        "</sup>",
        "<b>",
        "</b>",
        "<!--",
        "-->",
        "<br>",
        "<span style=\"display:none\">",
        "</span>",
        "<table><tr><td>",
        "</td>",
        "&nbsp;",
        "&#181;",
        "&",
        ";",
        "\\begin{align}",
        "\\end{align}",
        "\\begin{enumerate}",
        "\\end{enumerate}",
        "\\item",
        "\\item[",
        "\\begin{tabular}{l}",
        "\\end{tabular}",
        "\\section{",
        "\\newcommand{\\x}{",
        "\\x",
        "\\iffalse",
        "\\fi",
        "\\verb|",
        "\\color{white}",
        "#let x = ",
        "#x",
        "#strike[",
        "#table(columns: 2, ",
        "#set enum(",
        "frac(",
        "\"",
        "//",
        "/*",
        "*/",
        "= ",
        "\u{1B}[31m",
        "\r\n",
        "\u{FEFF}",
        "{\"cells\": [{\"source\": [\"",
        "\\u00b5",
        "[a]\nx = ",
        "'''",
    ];
    prop::collection::vec(
        prop_oneof![4 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)],
        0..40,
    )
    .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in markup()) {
        for kind in KINDS {
            check(&text, kind);
        }
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(answer) = Answer::read_bytes("test", &bytes, None, 1000) {
            check(answer.source.text(), answer.kind);
        }
    }
}

/// Each once broke a reader.
#[test]
fn unfinished_markup_breaks_no_reader() {
    for text in
        ["\\text{\nms", "<table><tr><td>¡", "#let x = ¡", "$^{¡", "`1.24`$\"¡", "\n\\verb|\\verb|ms", "!^{$frac(#table(columns: 2, "]
    {
        for kind in KINDS {
            check(text, kind);
        }
    }
}

#[test]
fn every_digit_leads_back_to_itself() {
    let texts = [
        (
            Kind::Markdown,
            "**1**.24&nbsp;ms, $\\frac{16\\,\\text{GB}}{3.35}$, \\SI{2,5}{\\giga\\byte}, 10<sup>9</sup> ~~7~~ `x = 8`\n\n| a | 9 |\n|--|--|\n| 10 | 11 |",
        ),
        (Kind::Text, "S = 1.3e9 * 2\n- 5 GB\na\t6\nb\t7\n"),
        (Kind::Latex, "\\section{1} $2^{3}$ \\qty{4.5}{\\ms} \\begin{tabular}{l} 6 & 7 \\\\ 8 \\end{tabular} 9--10"),
        (Kind::Typst, "= 1\n+ 2 $3^(-4) \"ms\"$ #strike[5] #table(columns: 2, [6], [7])"),
        (
            Kind::Notebook,
            "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"$1\\\\,2$\\n\", \"3\\u00b5s\"]}, {\"cell_type\": \"code\", \"source\": \"4\", \"outputs\": [{\"text\": \"5\"}]}]}",
        ),
        (Kind::Toml, "a = \"1 \\\"2\\\"\"\nb = 3"),
        (Kind::Json, "{\"a\": \"1 \\u00b5 2\", \"b\": 3}"),
    ];
    for (kind, text) in texts {
        let answer = Answer::read("test", text, kind);
        let mut digits = 0;
        for block in &answer.blocks {
            for (at, c) in block.passage.text().char_indices().filter(|(_, c)| c.is_ascii_digit()) {
                assert!(text[block.passage.span(at..at + 1).range()].contains(c), "{kind:?}: {c} of {:?}", block.passage.text());
                digits += 1;
            }
        }
        assert!(digits >= 4 || kind == Kind::Toml || kind == Kind::Json, "{kind:?}: {digits} digits");
    }
}

#[test]
fn what_is_dead_does_not_count() {
    for (kind, text, expected) in [
        (Kind::Markdown, "<!-- 5 GB -->\n\n6 GB <!-- 7 GB -->", "6 GB "),
        (Kind::Markdown, "<span style=\"display: none\">5 GB</span>6 GB", "6 GB"),
        (Kind::Markdown, "<div hidden>\n\n5 GB\n\n</div>\n\n6 GB", "6 GB"),
        (Kind::Markdown, "<font color=\"white\">5 GB</font>6 GB", "6 GB"),
        (Kind::Markdown, "$\\phantom{5}\\color{white}{7}6$ GB", "6 GB"),
        (Kind::Markdown, "![5 GB](x.png) 6 GB[^1]\n\n[^1]: note", " 6 GB|note"),
        (Kind::Markdown, "---\ngrade: 40\n---\n6 GB", "6 GB"),
        (Kind::Markdown, "<script>\nvar T = 5;\n</script>\n\n6 GB", "6 GB"),
        (Kind::Markdown, "<details><summary>More</summary>\n\n6 GB\n\n</details>", "More|6 GB"),
    ] {
        let answer = Answer::read("test", text, kind);
        let shown: Vec<&str> = answer.blocks.iter().map(|block| block.passage.text()).collect();
        assert_eq!(shown.join("|"), expected, "{text}");
    }
}

#[test]
fn struck_text_is_marked_and_quotes_are_counted() {
    for text in ["~~5 GB~~ 6", "<del>5 GB</del> 6", "<s>5 GB</s> 6", "$\\cancel{5 GB}$ 6"] {
        let answer = Answer::read("test", text, Kind::Markdown);
        assert_eq!(answer.blocks[0].struck.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>(), [(0, 4)], "{text}");
    }
    let answer = Answer::read("test", "> > 5\n\n> [!answer]\n> 6\n\n7", Kind::Markdown);
    let quoted: Vec<usize> = answer.blocks.iter().map(|block| block.quoted).collect();
    assert_eq!(quoted, [2, 0, 0]);
}

#[test]
fn markdown_as_students_write_it() {
    for (text, expected) in [
        ("\u{FEFF}# Title\r\n\r\ntext\r\nmore", "Title|text\nmore"),
        ("2*31*20us and 1.5*10**9, *soft* **x**", "2*31*20us and 1.5*10**9, soft x"),
        ("costs $5 and $6 more", "costs $5 and $6 more"),
        ("$5 each for these, or $6$", "$5 each for these, or 6"),
        ("~5 ms or ~6 ms", "~5 ms or ~6 ms"),
        ("\\(1.24\\,\\text{ms}\\) and\n\\[ x = 1 \\]\nend", "1.24 ms and\n|x = 1 |\nend"),
        ("- $T = 1$\n- two", "T = 1|two"),
        ("| a | b |\n|--|--|\n| $x|y$ | 2 |", "a|b|x|y|2"),
        ("`$5` and `a * b` and ``c`d``", "$5 and a * b and c`d"),
        ("```\n$5 \\(x\\)\n```", "$5 \\(x\\)\n"),
        ("20 \\mu s, 10^{9} B, 45\\%, \\frac{1}{2} s", "20 µs, 10^9 B, 45%, 1/2 s"),
        ("S\\* = 16, a\\_b, \\$5", "S* = 16, a_b, $5"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2 ms</td></tr></table>", "a|b|1|2 ms"),
        ("1.24<br>ms", "1.24\nms"),
        ("$$\nT = 5\n$$", "T = 5 "),
    ] {
        let answer = Answer::read("test", text, Kind::Markdown);
        let shown: Vec<&str> = answer.blocks.iter().map(|block| block.passage.text()).collect();
        assert_eq!(shown.join("|"), expected, "{text}");
    }
}

#[test]
fn formulas_become_plain_text() {
    for (text, expected) in [
        ("1.24\\,\\mathrm{ms}", "1.24 ms"),
        ("\\frac{a}{b+c}\\dfrac12", "a/(b+c) 1/2"),
        ("2\\frac{1}{2}", "2 1/2"),
        ("10^{-6}\\mathrm{s}^{-1}", "10^-6s^-1"),
        ("2^{P-1}", "2^(P-1)"),
        ("T_{\\text{comm}} + x_{1} + y_2 + z_{a,b}", "T_comm + x_1 + y_2 + z_a_b"),
        ("2{,}127{,}057", "2,127,057"),
        ("1\\,234\\,567", "1\u{202F}234\u{202F}567"),
        ("\\left(\\frac{1}{2}\\right) \\cdot 3", "(1/2) · 3"),
        ("\\underbrace{1.24}_{\\text{latency}} + 5", "1.24 (latency) + 5"),
        ("a \\approx b \\leq c \\pm d", "a ≈ b ≤ c ± d"),
        ("P\\alpha B", "P α B"),
        ("20\\,\\mu s = 20\\mu\\text{s}", "20 µs = 20µs"),
        ("S^* = S^{*}", "S* = S*"),
        ("x &= 1 \\\\[2pt] &= 2", "x = 1 \n= 2"),
        ("\\SI{3.35}{\\tera\\byte\\per\\second}", "3.35 TB/s"),
        ("\\qtyrange{3}{5}{\\ms}, \\SIlist{50;100}{\\mega\\byte}", "3–5 ms, 50 MB and 100 MB"),
        ("\\num{1,5e9} \\pm \\num{1.2 +- 0.3}", "1.5e9 ± 1.2 ± 0.3"),
        ("\\qty{2}{\\kilo\\watt\\hour} \\unit{m.s^{-1}}", "2 kW·h m·s^-1"),
        ("90^\\circ", "90°"),
        ("32,\\! 349", "32,349"),
    ] {
        let answer = Answer::read("test", format!("${text}$"), Kind::Markdown);
        let shown: Vec<&str> = answer.blocks.iter().map(|block| block.passage.text()).collect();
        assert_eq!(shown.join("|"), expected, "{text}");
    }
}

#[test]
fn a_construct_is_read_as_a_whole() {
    let text = "It is $T = \\SI{1.24}{\\milli\\second}$.";
    let answer = Answer::read("test", text, Kind::Markdown);
    let passage = &answer.blocks[0].passage;
    let at = passage.text().find("1.24 ms").expect("it is there");
    assert_eq!(passage.span(at..at + 7), Span::new(11, 35));
}

#[test]
fn nothing_nests_too_deep() {
    let openers = [
        "\\frac{",
        "\\text{",
        "\\begin{enumerate}\\item ",
        "{",
        "$_{",
        "x^{",
        "\\(",
        "> ",
        "- ",
        "<div>",
        "<b>",
        "[",
        "#f[",
        "#f(",
        "#let x = [",
        "$ frac(",
        "$ (",
        "#table(",
        "/*",
        "{\"a\":",
        "[[",
        "a = [",
        "\\newcommand{\\a}{\\a",
    ];
    for opener in openers {
        let text = opener.repeat(1500);
        for kind in KINDS {
            let answer = Answer::read("test", text.as_str(), kind);
            let written: usize = answer.blocks.iter().map(|block| block.passage.text().len()).sum();
            assert!(written <= 3 * text.len(), "{kind:?}: {opener:?} makes {written} bytes of {}", text.len());
        }
    }
}

#[test]
fn macros_and_variables_expand_to_no_more_than_a_few_times_the_file() {
    let body = "x".repeat(150);
    for (kind, text) in [
        (Kind::Latex, format!("\\newcommand{{\\a}}{{{body}}}{}", "\\a ".repeat(5000))),
        (Kind::Latex, format!("\\newcommand{{\\a}}{{{body}\\b\\b}}\\newcommand{{\\b}}{{{body}\\a\\a}}\\a")),
        (Kind::Typst, format!("#let a = \"{body}\"\n{}", "#a ".repeat(5000))),
    ] {
        let answer = Answer::read("test", text.as_str(), kind);
        let written: usize = answer.blocks.iter().map(|block| block.passage.text().len()).sum();
        assert!(written <= 4 * text.len() + (1 << 17), "{kind:?}: {written} bytes of {}", text.len());
    }
}
