//! What holds digits and is no answer: list and section numbers, references, citations, dates, clock times, versions,
//! addresses, identifiers, names of models and machines.
//!
//! Each function looks at a place and says where to go on, or that nothing of its kind stands there. They go by the form
//! of a thing; where only words tell, by lists of the words that number things.

mod calendar;

pub(super) use calendar::{after_month, is_month, is_year, says_year};

use calendar::{clock, date, decade, years};

/// The end of a run of digits.
fn digits(bytes: &[u8], from: usize) -> usize {
    from + bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The end of a run of letters, digits and underscores.
pub(super) fn word_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            at += 1;
        } else if byte >= 0x80 {
            match text[at..].chars().next().filter(|c| c.is_alphabetic()) {
                Some(c) => at += c.len_utf8(),
                None => break,
            }
        } else {
            break;
        }
    }
    at
}

/// The end of a name that goes on behind hyphens: `A100-80GB`, `Llama-3-70B`, `top-5`.
pub(super) fn name_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = word_end(text, from);
    while matches!(bytes.get(at), Some(b'-' | b'.' | b'+')) && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        at = word_end(text, at + 1);
    }
    at
}

/// The end of the name of a model that stands glued behind a number and a `×`: the `H100` of `8×H100`.
pub(super) fn counted_model(text: &str, at: usize) -> Option<usize> {
    if !text.as_bytes().get(at..)?.starts_with("×".as_bytes()) {
        return None;
    }
    let from = at + '×'.len_utf8();
    let end = word_end(text, from);
    let name = &text[from..end];
    let model = name.starts_with(|c: char| c.is_ascii_uppercase()) && name.contains(|c: char| c.is_ascii_digit());
    model.then(|| name_end(text, from))
}

/// The end of a run of anything but spaces: an address, an identifier.
pub(super) fn blank(text: &str, from: usize) -> usize {
    text[from..].find([' ', '\n', '\t', ')', '>', '"', ']']).map_or(text.len(), |len| from + len)
}

/// What begins with digits and is none: a date, a clock time, a version, an address, a telephone number.
pub(super) fn digits_that_are_none(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = digits(bytes, at);
    let size = first - at;
    if let Some(end) = uuid(bytes, at).filter(|_| size <= 8) {
        return Some(end);
    }
    match bytes.get(first)? {
        b'/' if &text[at..first] == "24" && is_around_the_clock(text, at, first) => Some(first + 2),
        b'-' | b'/' if size <= 4 => date(bytes, at, first),
        0xe2 if size == 4 && text[first..].starts_with('–') => years(text, at, first),
        b's' if size == 4 && is_year(&text[at..first]) && bytes[first - 1] == b'0' => decade(bytes, first + 1),
        b'.' if size == 2 && text[at..].starts_with("10.") => object(text, at).or_else(|| dotted(bytes, at, first)),
        b'.' if size <= 3 || size == 4 => dotted(bytes, at, first),
        b':' if size <= 2 => clock(text, at, first),
        _ => None,
    }
}

/// `550e8400-e29b-41d4-a716-446655440000`: an identifier of 32 digits to the base 16 in five groups.
fn uuid(bytes: &[u8], at: usize) -> Option<usize> {
    let end = at + 36;
    if bytes.get(at + 8) != Some(&b'-') {
        return None;
    }
    let is_one = bytes.get(at..end)?.iter().enumerate().all(|(place, byte)| match place {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    is_one.then_some(end)
}

/// `24/7`, which says *always*; in work it is a quotient.
fn is_around_the_clock(text: &str, at: usize, slash: usize) -> bool {
    let Some(after) = text[slash..].strip_prefix("/7") else { return false };
    let works = |c: char| matches!(c, '=' | '≈' | '*' | '·' | '×' | '+' | '^' | '%');
    let before = text[..at].trim_end_matches(' ');
    let mut behind = after.chars();
    let goes_on = match behind.next() {
        Some('.' | ',' | '/') => behind.next().is_some_and(|c| c.is_ascii_digit()),
        c => c.is_some_and(char::is_alphanumeric),
    };
    !goes_on && !after.trim_start_matches(' ').starts_with(works) && !before.ends_with(works)
}

/// `192.168.1.2`, `3.2.1`: three parts or more that are no thousands groups.
fn dotted(bytes: &[u8], at: usize, first: usize) -> Option<usize> {
    let mut end = first;
    let mut parts = 1;
    let mut grouped = first - at <= 3;
    while bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        let next = digits(bytes, end + 1);
        grouped &= next - end == 4;
        end = next;
        parts += 1;
    }
    if parts == 4 && bytes.get(end) == Some(&b':') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        // The port of an address.
        end = digits(bytes, end + 1);
    }
    (parts >= 3 && !(grouped && bytes[at] != b'0')).then_some(end)
}

/// `10.1145/3458817.3476209`: the name of a digital object, which is no quotient.
fn object(text: &str, at: usize) -> Option<usize> {
    let registrant = digits(text.as_bytes(), at + 3);
    let name = text[registrant..].strip_prefix('/').filter(|_| (4..=5).contains(&(registrant - at - 3)))?;
    let len = name.bytes().take(64).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/')).count();
    let named = len >= 7 && name[..len].contains(|c: char| c.is_ascii_alphabetic() || c == '.');
    named.then_some(registrant + 1 + len)
}

/// The end of a marker at the start of a line: `1. `, `2) `, `(3) `, `3.2: `, `2.1 Memory`, `Q3. `.
pub(super) fn line_marker(text: &str, at: usize, is_unit: impl Fn(&str) -> bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let open = usize::from(bytes.get(at) == Some(&b'('));
    let start = at + open;
    let mut end = digits(bytes, start);
    if end == start || end - start > 3 {
        return None;
    }
    let mut parts = 1;
    while parts < 5 && bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        let next = digits(bytes, end + 1);
        if next - end > 3 {
            return None;
        }
        end = next;
        parts += 1;
    }
    let blank = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t' | 0xc2));
    let content = |at: usize| text[at..].split('\n').next().is_some_and(|line| !line.trim().is_empty());
    match bytes.get(end) {
        Some(b')') if blank(end + 1) && content(end + 1) => Some(end + 1),
        Some(b')') if open == 1 => None,
        Some(b'.' | b':') if open == 0 && blank(end + 1) && content(end + 1) => {
            // `5. seconds` at the start of a line is no list.
            Some(end + 1)
        }
        Some(b' ') if parts > 1 => {
            let title = text[end..].trim_start_matches(' ');
            let word = &title[..word_end(title, 0)];
            let mut chars = word.chars();
            let named = chars.next().is_some_and(char::is_uppercase) && chars.clone().count() >= 2 && chars.all(char::is_lowercase);
            (named && !is_unit(word)).then_some(end)
        }
        _ => None,
    }
}

/// Words that number the thing behind them, in lower case.
fn numbers_things(lower: &[u8]) -> bool {
    matches!(
        lower,
        b"algorithm"
            | b"appendix"
            | b"article"
            | b"assignment"
            | b"chapter"
            | b"chapters"
            | b"ch"
            | b"commit"
            | b"corollary"
            | b"definition"
            | b"eq"
            | b"eqn"
            | b"eqns"
            | b"eqs"
            | b"equation"
            | b"equations"
            | b"ex"
            | b"example"
            | b"exercise"
            | b"exercises"
            | b"experiment"
            | b"fig"
            | b"figs"
            | b"figure"
            | b"figures"
            | b"footnote"
            | b"group"
            | b"gpu"
            | b"epoch"
            | b"layer"
            | b"device"
            | b"worker"
            | b"see"
            | b"nr"
            | b"nrs"
            | b"nos"
            | b"homework"
            | b"hypothesis"
            | b"id"
            | b"issue"
            | b"item"
            | b"iteration"
            | b"lecture"
            | b"lemma"
            | b"level"
            | b"line"
            | b"lines"
            | b"listing"
            | b"no"
            | b"note"
            | b"option"
            | b"page"
            | b"pages"
            | b"paragraph"
            | b"part"
            | b"parts"
            | b"phase"
            | b"player"
            | b"port"
            | b"pp"
            | b"problem"
            | b"problems"
            | b"proposition"
            | b"q"
            | b"question"
            | b"questions"
            | b"rank"
            | b"ref"
            | b"refs"
            | b"remark"
            | b"rev"
            | b"revision"
            | b"room"
            | b"scenario"
            | b"sec"
            | b"section"
            | b"sections"
            | b"seed"
            | b"slide"
            | b"slides"
            | b"stage"
            | b"step"
            | b"steps"
            | b"student"
            | b"tab"
            | b"task"
            | b"tasks"
            | b"team"
            | b"subtask"
            | b"attempt"
            | b"quiz"
            | b"claim"
            | b"table"
            | b"tables"
            | b"theorem"
            | b"tier"
            | b"v"
            | b"ver"
            | b"version"
            | b"versions"
            | b"vol"
            | b"volume"
            | b"week"
    )
}

/// Products whose versions and models follow a space: languages, frameworks, buses, standards, model and hardware lines;
/// in lower case.
fn is_product(lower: &[u8]) -> bool {
    matches!(
        lower,
        b"android"
            | b"arm"
            | b"bert"
            | b"bluetooth"
            | b"clang"
            | b"claude"
            | b"cmake"
            | b"cortex"
            | b"cuda"
            | b"cudnn"
            | b"debian"
            | b"docker"
            | b"ethernet"
            | b"fedora"
            | b"firefox"
            | b"fortran"
            | b"gcc"
            | b"gdb"
            | b"geforce"
            | b"gemini"
            | b"gemma"
            | b"gpt"
            | b"gtx"
            | b"haswell"
            | b"hopper"
            | b"http"
            | b"ieee"
            | b"imagenet"
            | b"intel"
            | b"ios"
            | b"iso"
            | b"java"
            | b"jax"
            | b"jdk"
            | b"julia"
            | b"kepler"
            | b"keras"
            | b"latex"
            | b"linux"
            | b"llama"
            | b"llama2"
            | b"llvm"
            | b"macos"
            | b"matlab"
            | b"mistral"
            | b"mixtral"
            | b"mnist"
            | b"mpi"
            | b"mysql"
            | b"nccl"
            | b"node"
            | b"numpy"
            | b"nvlink"
            | b"nvswitch"
            | b"opencl"
            | b"opengl"
            | b"openmp"
            | b"openssl"
            | b"palm"
            | b"pandas"
            | b"pcie"
            | b"perl"
            | b"phi"
            | b"php"
            | b"postgres"
            | b"python"
            | b"pytorch"
            | b"qt"
            | b"qwen"
            | b"rfc"
            | b"rocm"
            | b"rtx"
            | b"ruby"
            | b"rust"
            | b"ryzen"
            | b"scipy"
            | b"spss"
            | b"sqlite"
            | b"squad"
            | b"stata"
            | b"sycl"
            | b"tensorflow"
            | b"tls"
            | b"tpu"
            | b"ubuntu"
            | b"usb"
            | b"vulkan"
            | b"windows"
            | b"xeon"
    )
}

/// The end of the size that is part of a model's name: the ` 7B` of `LLaMA 7B`. Where its parameters are spoken of, it counts them.
pub(super) fn model_size(word: &str, text: &str, at: usize) -> Option<usize> {
    const MODELS: [&str; 12] = ["bert", "claude", "gemini", "gemma", "gpt", "llama", "llama2", "mistral", "mixtral", "palm", "phi", "qwen"];
    let model = MODELS.iter().any(|model| word.eq_ignore_ascii_case(model));
    let bytes = text.as_bytes();
    if !model || !matches!(bytes.get(at), Some(b' ' | b'-')) {
        return None;
    }
    let whole = digits(bytes, at + 1);
    let end = if bytes.get(whole) == Some(&b'.') { digits(bytes, whole + 1) } else { whole };
    let sized = whole > at + 1 && matches!(bytes.get(end), Some(b'B' | b'b' | b'M' | b'T'));
    let rest = text.get(end + 1..)?;
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (sized && ends && !rest.trim_start_matches([' ', '-']).starts_with("param")).then_some(end + 1)
}

/// Whether a word's letters alone make it a product's name: `PyTorch`, `InfiniBand`.
fn is_camel(word: &str) -> bool {
    let bytes = word.as_bytes();
    word.len() >= 5
        && word.is_ascii()
        && bytes.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count() == 1
        && bytes.iter().filter(|byte| byte.is_ascii_lowercase()).count() >= 3
}

/// How the number behind a word is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbered {
    /// A thing's number: `Section 3`, `Table 2`.
    Thing,
    /// A name's version or model: `CUDA 12.4`.
    Name,
}

/// Whether a word numbers what stands behind it.
pub(super) fn numbered(word: &str) -> Option<Numbered> {
    let mut lower = [0; 12];
    let Some(lower) = lower.get_mut(..word.len()) else { return is_camel(word).then_some(Numbered::Name) };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    // `No. 3`, but `no 3` is a sentence; `v 3`, but `V 3` a symbol.
    if numbers_things(lower) && !matches!(word, "no" | "V") {
        return Some(Numbered::Thing);
    }
    (is_product(lower) || is_camel(word)).then_some(Numbered::Name)
}

/// The number, with its letters and parts, that stands at `at` behind a word that numbers things: `3`, `2(b)(iii)`,
/// `(4)`, `3.2`, `12`, `0042`, `#5`; then further ones: `3 and 4`, `3-5`, `3 of 7`.
pub(super) fn thing_number(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
    }
    let mut gap = 0;
    while gap < 3 && text[at..].starts_with([' ', '\u{a0}', '#', ':']) {
        let c = text[at..].chars().next()?;
        if c == ':' && bytes.get(at + 1) == Some(&b' ') {
            return None;
        }
        at += c.len_utf8();
        gap += 1;
    }
    if at == from {
        return None;
    }
    // `Appendix A.3`
    if matches!(bytes.get(at..at + 3), Some([b'A'..=b'Z', b'.', b'0'..=b'9'])) {
        at += 2;
    }
    // A fraction numbers nothing: `T/step 0.507`.
    if matches!(bytes.get(at..at + 3), Some([b'0', b'.', b'0'..=b'9'])) {
        return None;
    }
    let mut end = in_parentheses(bytes, at).or_else(|| one_number(bytes, at))?;
    // Letters and Roman numerals in parentheses: `2(b)(iii)`.
    for _ in 0..4 {
        let Some(inner) = text[end..].strip_prefix('(') else { break };
        let size = inner.bytes().take(5).take_while(u8::is_ascii_alphanumeric).count();
        if size == 0 || !inner[size..].starts_with(')') {
            break;
        }
        end += size + 2;
    }
    for _ in 0..8 {
        let rest = &text[end..];
        let Some(joint) =
            [" and ", " to ", " of ", ", ", ",", "-", "–", "/", " & ", ", and ", " or "].into_iter().find(|joint| rest.starts_with(joint))
        else {
            break;
        };
        let next = end + joint.len();
        let Some(next) = in_parentheses(bytes, next).or_else(|| one_number(bytes, next)) else { break };
        if goes_on_as_a_quantity(text, next) {
            break;
        }
        end = next;
    }
    Some(end)
}

/// `(4)`
fn in_parentheses(bytes: &[u8], at: usize) -> Option<usize> {
    let end = one_number(bytes, at + 1).filter(|_| bytes.get(at) == Some(&b'('))?;
    (bytes.get(end) == Some(&b')')).then_some(end + 1)
}

/// Whole digits with dotted parts and a letter.
fn one_number(bytes: &[u8], at: usize) -> Option<usize> {
    let mut end = digits(bytes, at);
    if end == at || end - at > 10 {
        return None;
    }
    for _ in 0..4 {
        if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            end = digits(bytes, end + 1);
        }
    }
    // `2b`, but `1.3x`
    if bytes.get(end).is_some_and(|byte| byte.is_ascii_lowercase() && *byte != b'x')
        && !bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
    {
        end += 1;
    }
    (!bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'%')).then_some(end)
}

/// Whether a unit follows, so that the number is a quantity after all: `per step 400 ms`.
fn goes_on_as_a_quantity(text: &str, at: usize) -> bool {
    text[at..].starts_with(['%', '°'])
}

/// A bracket that holds only numbers behind a text: `[3]`, `[12, 15]`, `[1-3]`.
pub(super) fn citation(text: &str, at: usize) -> Option<usize> {
    numbers_in_brackets(text, at, false)
}

/// A bracket of numbers directly behind a name: `x[3]`, `x[0:5]`.
pub(super) fn index(text: &str, at: usize) -> Option<usize> {
    numbers_in_brackets(text, at, true)
}

fn numbers_in_brackets(text: &str, at: usize, slices: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    let caret = usize::from(bytes.get(end) == Some(&b'^'));
    end += caret;
    let mut numbers = 0;
    loop {
        let next = digits(bytes, end);
        if next == end || next - end > 4 || numbers > 16 {
            return None;
        }
        end = next;
        numbers += 1;
        match bytes.get(end)? {
            b']' => return Some(end + 1),
            b',' | b';' | b'-' => end += 1,
            b':' if slices => end += 1,
            0xe2 if text[end..].starts_with('–') => end += 3,
            _ => return None,
        }
        while bytes.get(end) == Some(&b' ') {
            end += 1;
        }
    }
}
