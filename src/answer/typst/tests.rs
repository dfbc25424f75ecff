use super::*;

/// The blocks of a document on one line.
fn blocks(text: &str) -> String {
    let shown = read(text).into_iter().map(|block| {
        let role = match block.role {
            Role::Heading(level) => "#".repeat(level.into()),
            Role::Paragraph => "p".to_owned(),
            Role::Item { marker, depth } => format!("{depth}:{marker}"),
            Role::Cell { row, column, header, .. } => format!("{row}.{column}{}", if header { "h" } else { "" }),
            Role::Code(_) => "code".to_owned(),
            Role::Math => "math".to_owned(),
            _ => "?".to_owned(),
        };
        let quoted = ">".repeat(block.quoted);
        format!("{quoted}{role}[{}]", block.passage.text().trim().replace('\n', "⏎"))
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn documents_as_they_look_when_compiled() {
    for (text, expected) in [
        ("= Drill\n== (a) Size\nOne\nline.\n\nTwo.", "#[Drill] ##[(a) Size] p[One⏎line.] p[Two.]"),
        ("+ one\n+ two\n  - in\n  - in 2\n+ three\nout", "1:1.[one] 1:2.[two] 2:-[in] 2:-[in 2] 1:3.[three] p[out]"),
        ("#set enum(numbering: \"(a)\")\n+ one\n\n+ two\n  more\n\n  still", "1:(a)[one] 1:(b)[two⏎more] p[still]"),
        (
            "#set enum(numbering: \"(a)\")\n+ one\n+ #set enum(numbering: \"1.\")\n  + in\n  + in 2\n+ three",
            "1:(a)[one] 1:(b)[] 2:1.[in] 2:2.[in 2] 1:(c)[three]",
        ),
        ("3. three\n+ four", "1:3.[three] 1:4.[four]"),
        ("#enum(numbering: \"a)\")[one][two]", "1:a)[one] 1:b)[two]"),
        ("*bold* and _emphasis_, 2*31*20, a_b", "p[bold and emphasis, 2*31*20, a_b]"),
        ("5 GB // not 6 GB\n/* 7 /* 8 */ GB */ end, see https://example.com/x", "p[5 GB ⏎ end, see https://example.com/x]"),
        ("50--100 MB at 5~% \\# \\u{b5}s", "p[50–100 MB at 5 % # µs]"),
        ("#strike[5 GB] 6 GB #hide[7 GB] #text(fill: white)[8 GB] #text(fill: red)[9 GB]", "p[5 GB 6 GB   9 GB]"),
        ("#quote[How many?] Two.", ">p[How many?] p[Two.]"),
        ("#let T = 1.24\nIt is #T ms, #unknown.", "p[It is 1.24 ms, .]"),
        ("#let T = $1.24 \"ms\"$\nIt is #T.", "p[It is 1.24 ms.]"),
        ("#let ms(x) = [#x ms]\nIt is #ms(3.5), not #ms[4].", "p[It is 3.5 ms, not 4 ms.]"),
        ("#let v(x, u) = $#x thin \"in\" #u$\nIt is #v(3.5, \"GB\").", "p[It is 3.5  in GB.]"),
        ("#let us(x) = str(x) + \" µs\"\n#let both(a, b) = [#us(a) and #us(b)]\n#both(3, 4.5)", "p[3 µs and 4.5 µs]"),
        ("#let big(x) = text(size: 14pt)[#x GB]\n#let f(x) = [#f(x) #f(x)]\n#big(2.6)#f(1)", "p[2.6 GB]"),
        ("#let pc(x) = [#x%]\n#table(columns: 2, [share], [#pc(12)])", "0.0[share] 0.1[12%]"),
        (
            "$T = #ms(3)$ #let ms(x) = [#x ms]\n$T = #ms(3)$; #calc.round(619.883, digits: 1) MiB, #calc.pow(2, 3)",
            "p[T =  ⏎T = 3 ms; 619.883 MiB,]",
        ),
        ("#align(center)[*Drill* #h(1fr) me]", "p[Drill  me]"),
        ("#table(columns: 2, [Term], [Time (ms)], [L], [1.24])", "0.0[Term] 0.1[Time (ms)] 1.0[L] 1.1[1.24]"),
        (
            "#figure(table(columns: (auto, 1fr), table.header([a], [b]), [1], $2$), caption: [both])",
            "0.0h[a] 0.1h[b] 1.0[1] 1.1[2] p[both]",
        ),
        ("`x = 5` and\n```py\nt = 5\n```", "p[x = 5 and] code[t = 5]"),
        ("see @fig and <lab> 5 < 6", "p[see  and  5 < 6]"),
        ("#qty(\"1.24\", \"ms\")", "p[1.24 ms]"),
    ] {
        assert_eq!(blocks(text), expected, "{text}");
    }
}

#[test]
fn formulas() {
    for (text, expected) in [
        ("$2 dot 31 dot 20 mu \"s\"$", "p[2 · 31 · 20 µs]"),
        ("$31 times 20 mu s = 0.62 \"ms\"$", "p[31 × 20 µs = 0.62 ms]"),
        ("$ T = frac(2 (P-1), P) S/B $", "math[T = (2 (P-1))/P S/B]"),
        ("$1.3 dot 10^9 approx 10^(-6)$", "p[1.3 · 10^9 ≈ 10^-6]"),
        ("$S^* = P alpha B$, $T_\"comm\" <= T_(max)$", "p[S* = P α B, T_comm ≤ T_max]"),
        ("$sqrt(16) = 4$ and $floor(2.5)$", "p[sqrt(16) = 4 and ⌊2.5⌋]"),
        ("$ a &= 1 \\\n &= 2 $", "math[a = 1 ⏎= 2]"),
        ("$underbrace(1.24, \"latency\") + 2$", "p[1.24 (latency) + 2]"),
        ("$cancel(5) 6%$", "p[5 6%]"),
    ] {
        assert_eq!(blocks(text), expected, "{text}");
    }
    let text = "It is $0.62 \"ms\"$.";
    let block = &read(text)[0];
    assert_eq!(&text[block.passage.span(6..13).range()], "0.62 \"ms\"");
}
