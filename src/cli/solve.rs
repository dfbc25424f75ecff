//! `drillmark solve`: a drill's values worked out, with the formulas that give them.

use std::io::Write;

use drillmark::answer::Kind;
use drillmark::diagnostic;
use drillmark::drill::{Drill, Model, NameId};
use drillmark::formula::{self, Formula, KnownNames, Scope};
use drillmark::quantity::{Dimension, Number};
use drillmark::report::{diagnostics, inert, solution};

use super::{Done, Shell, Trouble, variant};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Tables, a part each
    Terminal,
    /// Tables with the formulas in LaTeX
    Markdown,
    /// One object, values in SI base units
    Json,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The drill, as `drillmark list` names it
    drill: String,

    /// Work it out with another value: `--set P=256 --set "B=50 GB/s"`
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    variant: variant::Args,

    /// How to print it
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,

    /// Print the model answer instead: the author's words with these values, or a bare one where the drill has none
    #[arg(long, conflicts_with = "format")]
    answer: bool,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let mut drill = args.variant.of(shell.drill(&args.drill)?, shell)?;
    if !args.set.is_empty() {
        let others: Vec<(NameId, Number)> = args.set.iter().map(|set| other(&drill, set)).collect::<Result<_, _>>()?;
        drill = drill.with(&others);
        if let Some(name) = drill.names.iter().find(|name| !name.formula.value().is_finite()) {
            return Err(Trouble::Operator(format!("with these values `{}` comes to no number", name.name)));
        }
    }
    if args.answer {
        let answer = model(shell, &args.drill, &drill)?;
        for line in answer.lines() {
            writeln!(shell.out(), "{}", inert::terminal(line))?;
        }
        return Ok(Done::Fine);
    }
    match args.format {
        Format::Terminal => write!(shell.out(), "{}", solution::terminal(&drill))?,
        Format::Markdown => write!(shell.out(), "{}", solution::markdown(&drill))?,
        Format::Json => writeln!(shell.out(), "{}", solution::json(&drill))?,
    }
    Ok(Done::Fine)
}

/// The model answer with the values of this drill.
fn model(shell: &Shell, id: &str, drill: &Drill) -> Result<String, Trouble> {
    let Some(source) = shell.library()?.answer(id) else {
        return Ok(drill.solved_template(Kind::Markdown));
    };
    let model = Model::read(drill, &source)
        .map_err(|found| Trouble::Broken { drawn: diagnostics::render(&found, &[&source]), summary: diagnostics::summary(&found) })?;
    Ok(model.filled(drill))
}

/// One `NAME=VALUE`, in the unit it is written in.
fn other(drill: &Drill, set: &str) -> Result<(NameId, Number), Trouble> {
    let told = |what: String| Trouble::Operator(format!("--set {set}: {what}"));
    let (name, value) = set.split_once('=').ok_or_else(|| told("write it as NAME=VALUE".to_owned()))?;
    let (name, value) = (name.trim(), value.trim());
    let symbol = drill.scope().symbols.get(name).copied();
    let Some(symbol) = symbol else {
        let near = diagnostic::nearest(name, drill.names.iter().map(|name| name.name.as_str()));
        let help = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(told(format!("`{}` has no name `{name}`{help}", drill.id)));
    };
    let none = std::collections::BTreeMap::new();
    let expr = formula::parse(value, &drill.units, &KnownNames::default()).map_err(|fault| told(fault.title))?;
    let scope = Scope { units: &drill.units, symbols: &none };
    let formula = Formula::new(value, expr, scope)
        .map_err(|faults| told(faults.into_iter().map(|fault| fault.title).collect::<Vec<_>>().join("; ")))?;
    let wanted = symbol.dimension.unwrap_or(Dimension::NONE);
    if formula.dimension() != wanted {
        return Err(told(format!("`{name}` is {}, `{value}` is {}", kind(wanted), kind(formula.dimension()))));
    }
    Ok((NameId(symbol.slot), formula.eval(&[] as &[Number])))
}

fn kind(dimension: Dimension) -> String {
    if dimension.is_none() { "a plain number".to_owned() } else { dimension.to_string() }
}
