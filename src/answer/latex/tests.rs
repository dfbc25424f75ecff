use super::*;

/// The blocks of a document on one line: role, marker, text; struck and strong stretches in signs of their own.
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
        ("\\documentclass{a}\n\\begin{document}\nHi there.\n\\end{document}\n5 GB", "p[Hi there.]"),
        ("\\section*{a)} One % 5 GB\nline.\n\nTwo.", "##[a)] p[One line.] p[Two.]"),
        ("\\subsection[short]{Ring \\textbf{time}}\nx", "###[Ring time] p[x]"),
        ("\\begin{enumerate}\n\\item one\n\\item two\n\\end{enumerate}\nend", "1:1.[one] 1:2.[two] p[end]"),
        (
            "\\begin{enumerate}[label=(\\alph*)]\n\\item one\n\\item\n\\begin{enumerate}\n\\item in\n\\end{enumerate}\n\\end{enumerate}",
            "1:(a)[one] 1:(b)[] 2:(a)[in]",
        ),
        ("\\renewcommand{\\labelenumi}{(\\alph{enumi})}\n\\begin{enumerate}\\item one\\end{enumerate}", "1:(a)[one]"),
        ("\\setlist[enumerate,1]{label=\\alph*)}\n\\begin{enumerate}\\item one\\end{enumerate}", "1:a)[one]"),
        ("\\begin{itemize}\\item[\\textbf{(b)}] two\\end{itemize}", "1:(b)[two]"),
        ("\\begin{parts}\\part[5] one\\part two\\end{parts}", "1:(a)[one] 1:(b)[two]"),
        ("T is\n\\[ T = 1.24\\,\\text{ms} \\]\nso fine", "p[T is] math[T = 1.24 ms] p[so fine]"),
        ("\\begin{align*}\nT &= 2 \\cdot 31 \\\\\n  &= 62\n\\end{align*}", "math[T = 2 · 31 ⏎= 62]"),
        ("$$x = 1$$ and $y=2$", "math[x = 1] p[and y=2]"),
        (
            "\\begin{tabular}{lr}\n\\toprule\nTerm & Time (ms) \\\\ \\midrule\nL & 1.24 \\\\\nB & 201.5\n\\end{tabular}",
            "0.0h[Term] 0.1h[Time (ms)] 1.0[L] 1.1[1.24] 2.0[B] 2.1[201.5]",
        ),
        ("\\begin{tabular}{|l|r|}\\hline (a) & 2.6 GB \\\\ \\hline\\end{tabular}", "0.0[(a)] 0.1[2.6 GB]"),
        ("\\begin{quote}How many?\\end{quote} Two.", ">p[How many?] p[Two.]"),
        ("\\iffalse 5 GB \\fi 6 GB", "p[6 GB]"),
        ("\\begin{comment}5 GB\\end{comment}6 GB", "p[6 GB]"),
        ("\\begin{verbatim}\nt = 5\n\\end{verbatim}", "code[t = 5]"),
        ("50--100 MB, e.g.\\ 60~MB at 5\\,\\% \\textcolor{red}{now}", "p[50–100 MB, e.g. 60 MB at 5 % now]"),
        ("\\textcolor{white}{5 GB} \\phantom{6 GB} {\\color{white} 7 GB} 8 GB", "p[8 GB]"),
        ("see \\ref{x} \\cite{y} \\label{z} now\\footnote{or 5 GB}", "p[see    now or 5 GB]"),
        ("\\verb|x_1 = 5| is", "p[x_1 = 5 is]"),
        ("f\\\"ur \\\"{U}bung", "p[für Übung]"),
        ("a \\unknown{b} c", "p[a b c]"),
    ] {
        assert_eq!(blocks(text), expected, "{text}");
    }
}

#[test]
fn macros_are_expanded_where_they_are_called() {
    for (text, expected) in [
        ("\\newcommand{\\T}{\\qty{1.24}{\\ms}} It is \\T{} or \\T.", "p[It is 1.24 ms or 1.24 ms.]"),
        ("\\def\\T{1.24} It is $\\T$ ms.", "p[It is 1.24 ms.]"),
        ("\\newcommand{\\inms}[1]{\\SI{#1}{\\milli\\second}} \\inms{1.24}", "p[1.24 ms]"),
        ("\\newcommand\\todo[1]{[TODO: #1]} \\todo{more}", "p[[TODO: more]]"),
        ("\\DeclareSIUnit\\flop{FLOP} \\qty{3}{\\giga\\flop}", "p[3 GFLOP]"),
        ("\\newcommand{\\a}{\\b\\b}\\newcommand{\\b}{\\a\\a} x \\a y", "p[x  y]"),
    ] {
        assert_eq!(blocks(text), expected, "{text}");
    }
    let text = "\\newcommand{\\T}{\\qty{1.24}{\\ms}} $T = \\T$";
    let block = &read(text)[0];
    let at = block.passage.text().find("1.24 ms").expect("the macro is expanded");
    assert_eq!(&text[block.passage.span(at..at + 7).range()], "\\T");
}

#[test]
fn what_is_struck_or_strong_is_marked() {
    let text = "\\sout{5 GB} \\textbf{6 GB} $\\boxed{7}$ \\st{\\textbf{8}}";
    let block = &read(text)[0];
    let shown =
        |ranges: &[std::ops::Range<usize>]| ranges.iter().map(|range| &block.passage.text()[range.clone()]).collect::<Vec<_>>().join("|");
    assert_eq!(shown(&block.struck), "5 GB|8");
    assert_eq!(shown(&block.strong), "6 GB|7|8");
}
