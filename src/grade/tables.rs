//! What the rows and columns of a table say about its cells: their names, the unit-less symbol or formula in a name, and the
//! setting that a row or column stands for.
//!
//! A cell is named by its row and its column together. Where the labels of one side are values (`32`, `256`; `1 MiB`, `25
//! MiB`), they are settings: a row for one value holds no answer to what is asked of another. A column of factors answers
//! what is asked as a factor, and no other column does.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::answer::Role;
use crate::drill::{Drill, Name as Given, NameId, Origin};
use crate::formula::parse_student;
use crate::grade::Grader;
use crate::grade::clues::{Hit, Sign, Tag};
use crate::grade::evidence::Fit;
use crate::grade::scene::{Name, Scene, Spoken, Title};
use crate::phrase::Words;
use crate::quantity::{Dimension, Number as Value};
use crate::recognize;

/// How much the name of a row says about its cells, and how much the name of a column.
const ROW: f32 = 6.5;
const COLUMN: f32 = 5.0;
/// Two sizes this close are one: 25 MB and 25 MiB.
const CLOSE: (i128, i32) = (6, -2);
/// Cells of a row beyond which nobody reads it.
const MOST_COLUMNS: usize = 64;
/// Bytes of a name beyond which it is a remark.
const LONGEST_NAME: usize = 80;

/// What the rows and columns say about one cell.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The names of its row and column.
    pub(super) names: Vec<Name>,
    /// The asks that it cannot answer.
    pub(super) barred: BTreeSet<usize>,
    /// The asks that another cell of its row is named for by its column as well.
    pub(super) outnamed: BTreeSet<usize>,
    /// The part that alone asks of its setting, where the part it stands in asks nothing.
    pub(super) part: Option<usize>,
    /// Whether it is a label: what stands in it is no answer.
    pub(super) labels: bool,
    /// Whether it states a factor as what is divided by: `÷8`.
    pub(super) divides: bool,
}

/// Reads the tables of an answer: what is said about each of its lines that is a cell.
pub(super) fn read(scene: &Scene, grader: &Grader) -> BTreeMap<usize, Said> {
    let mut tables: BTreeMap<usize, Table> = BTreeMap::new();
    for (at, line) in scene.lines.iter().enumerate() {
        if let Role::Cell { table, row, column, header } = line.source.role {
            let cells = &mut tables.entry(table).or_default().cells;
            cells.push(Cell { line: at, row, column, header, is_value: is_value(scene, at) });
        }
    }
    let mut said = BTreeMap::new();
    for table in tables.values_mut() {
        table.read(scene, grader, &mut said);
    }
    said
}

/// The names of a line as [`Evidence`](crate::grade::evidence) weighs them: the asks that its symbols or its formula name.
pub(super) fn asks_named(grader: &Grader, text: &str) -> Vec<usize> {
    if is_plain(grader, text) {
        return Vec::new();
    }
    let bare = recognize::without_unit(&grader.drill.units, text).trim_matches(['*', '`', ':', ' ', '=']);
    let mut asks: Vec<usize> = grader.clues.asks_of(text).to_vec();
    asks.extend(grader.clues.asks_of(bare));
    asks.extend(grader.asks_of_quotient(bare));
    asks.extend(grader.asks_divided_by(bare));
    let is_formula = bare.len() <= LONGEST_NAME && bare.contains(['/', '·', '*', '×', '(', '+', '−', '-']);
    if is_formula && let Ok(expr) = parse_student(bare, &grader.drill.units, &grader.symbols) {
        // With two ways to read it, it says nothing.
        let computed = grader.works().asks_computed(&expr, &grader.drill.units, &|_| true, &[]);
        asks.extend(computed);
    }
    asks.sort_unstable();
    asks.dedup();
    asks
}

/// Whether a text is some words and surely no symbol or formula, whatever of it may be a unit: most headings are.
fn is_plain(grader: &Grader, text: &str) -> bool {
    // A unit stands behind one of these.
    let ends = || text.match_indices([' ', ',', '[']).map(|(end, _)| end).chain([text.len()]);
    text.len() <= LONGEST_NAME
        && !text.contains(['/', '·', '*', '×', '(', '+', '−', '-', '÷', '∕', '='])
        && ends().all(|end| grader.clues.asks_of(text[..end].trim_matches(['`', ':'])).is_empty())
}

/// A cell of a table.
#[derive(Clone, Debug)]
struct Cell {
    line: usize,
    row: usize,
    column: usize,
    header: bool,
    /// Whether it holds a value and nothing else.
    is_value: bool,
}

#[derive(Debug, Default)]
struct Table {
    cells: Vec<Cell>,
    /// By row: its cells that name no column, as places in `cells`; of a row that nobody can read none.
    rows: BTreeMap<usize, Vec<usize>>,
}

/// One side of a table: its rows, or its columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Rows,
    Columns,
}

/// What one side of a table says.
#[derive(Debug, Default)]
struct Axis {
    /// By row or column: the cells that name it.
    labels: BTreeMap<usize, Vec<usize>>,
    /// By row or column: the value that it stands for.
    settings: BTreeMap<usize, Value>,
    /// The givens that the settings are values of.
    varied: Vec<NameId>,
    /// The rows or columns that state factors.
    factors: BTreeSet<usize>,
}

impl Table {
    fn read(&mut self, scene: &Scene, grader: &Grader, said: &mut BTreeMap<usize, Said>) {
        self.settle_header(scene);
        for (at, cell) in self.cells.iter().enumerate().filter(|(_, cell)| !cell.header) {
            self.rows.entry(cell.row).or_default().push(at);
        }
        self.rows.retain(|_, cells| cells.len() <= MOST_COLUMNS);
        let rows = self.axis(scene, grader, Side::Rows);
        let columns = self.axis(scene, grader, Side::Columns);
        let mut names = Names::default();
        let mut cued: BTreeMap<usize, BTreeMap<usize, bool>> =
            columns.labels.iter().map(|(column, cells)| (*column, asks_of(scene, grader, &mut names, cells))).collect();
        // Without a line that names them, columns are named by the words that each of their cells repeats.
        let headed = !columns.labels.is_empty();
        for cell in self.cells.iter().filter(|cell| !headed && !cell.is_value && !is_label_of(&rows, cell)) {
            if scene.lines[cell.line].numbers.len() == 1 {
                cued.entry(cell.column).or_insert_with(|| asks_of(scene, grader, &mut names, &[cell.line]));
            }
        }
        let baseline = self.baseline(scene);
        let index = self.index_column(scene);
        for cell in &self.cells {
            let mut found = Said::default();
            let is_label = cell.header || is_label_of(&rows, cell);
            found.labels = is_label && (cell.header || rows.settings.contains_key(&cell.row)) && !claims(scene, grader, cell.line);
            found.labels |= index == Some(cell.column);
            if !cell.header {
                let mut named = |line: usize, weight: f32| names.of(scene, grader, line, weight);
                self.name(scene, cell, &rows, &columns, &mut found, (grader, &mut named));
                for (axis, at) in [(&rows, cell.row), (&columns, cell.column)] {
                    axis.bar(grader, at, &mut found.barred);
                }
                for (axis, at) in [(&rows, cell.row), (&columns, cell.column)] {
                    axis.transfer(grader, at, &mut found);
                }
                if !is_label {
                    self.stand_back(scene, grader, cell, &rows, &cued, &mut found.outnamed);
                }
                let asks_nothing = |part: &usize| grader.drill.parts[*part].asks.is_empty() && grader.drill.parts[*part].items.is_empty();
                if scene.lines[cell.line].spot.part.as_ref().is_some_and(asks_nothing) {
                    found.part = rows.part(grader, cell.row).or(columns.part(grader, cell.column));
                }
                if let Some(part) = baseline.get(&cell.row) {
                    found.barred.extend(grader.drill.parts[*part].items.iter().flat_map(|item| item.asks.iter().copied()));
                }
                let factor = columns.factors.contains(&cell.column) || rows.factors.contains(&cell.row);
                found.divides =
                    factor && scene.lines[cell.line].text()[scene.lines[cell.line].range.clone()].trim_start().starts_with(['÷', '/']);
            }
            said.insert(cell.line, found);
        }
    }

    /// The asks that another column of the row answers rather than that of a cell: one that is named for them where this is not,
    /// and one that is named for nothing where this is named for other asks alone.
    fn stand_back(
        &self,
        scene: &Scene,
        grader: &Grader,
        cell: &Cell,
        rows: &Axis,
        cued: &BTreeMap<usize, BTreeMap<usize, bool>>,
        asks: &mut BTreeSet<usize>,
    ) {
        let Some(here) = cued.get(&cell.column) else { return };
        let of_row = self.beside(cell).filter(|other| other.column != cell.column);
        for other in of_row.filter(|other| (other.is_value || scene.lines[other.line].numbers.len() == 1) && !is_label_of(rows, other)) {
            let Some(there) = cued.get(&other.column) else { continue };
            let more = |(ask, surely): (&usize, &bool)| here.get(ask).is_none_or(|own| *surely && !own).then_some(*ask);
            asks.extend(there.iter().filter_map(more));
            if there.is_empty() && !here.is_empty() {
                let fits = |ask: usize| {
                    scene.lines[other.line].numbers.clone().any(|at| grader.shapes[ask].fit(&scene.numbers[at].mention) == Fit::Natural)
                };
                asks.extend((0..grader.drill.asks.len()).filter(|ask| !here.get(ask).copied().unwrap_or(false) && fits(*ask)));
            }
        }
    }

    /// The rows that belong to no item of their part, where others belong to one each: the state before the changes.
    fn baseline(&self, scene: &Scene) -> BTreeMap<usize, usize> {
        let mut spots: BTreeMap<usize, (Option<usize>, Option<usize>)> = BTreeMap::new();
        for cell in self.cells.iter().filter(|cell| !cell.header) {
            let here = scene.lines[cell.line].spot;
            let (part, item) = spots.entry(cell.row).or_default();
            *part = part.or(here.part);
            *item = item.or(here.item);
        }
        let named: BTreeSet<(usize, usize)> = spots.values().filter_map(|(part, item)| part.zip(*item)).collect();
        let several = |part: usize| named.iter().filter(|(other, _)| *other == part).count() > 1;
        spots
            .into_iter()
            .filter(|(_, (_, item))| item.is_none())
            .filter_map(|(row, (part, _))| Some((row, part.filter(|part| several(*part))?)))
            .collect()
    }

    /// The other cells of a cell's row.
    fn beside<'a>(&'a self, cell: &Cell) -> impl Iterator<Item = &'a Cell> {
        let line = cell.line;
        let row = self.rows.get(&cell.row).map_or(&[][..], Vec::as_slice);
        row.iter().map(|at| &self.cells[*at]).filter(move |other| other.line != line)
    }

    /// A first row that is a name and its values names no columns, though Markdown knows no table without such a row.
    fn settle_header(&mut self, scene: &Scene) {
        let has_unit = |cell: &&Cell| {
            let line = &scene.lines[cell.line];
            line.numbers.clone().any(|number| {
                let number = &scene.numbers[number];
                number.mention.unit.is_some() && number.is.is_none()
            })
        };
        let header: Vec<&Cell> = self.cells.iter().filter(|cell| cell.header).collect();
        let values = header.iter().filter(|cell| cell.column > 0).all(|cell| cell.is_value && has_unit(cell));
        let named = header.iter().any(|cell| cell.column == 0 && !cell.is_value);
        if values && named && header.len() > 1 {
            for cell in &mut self.cells {
                cell.header = false;
            }
        }
    }

    /// The names of a cell: what stands left of it in its row, or else right of it, and above it.
    fn name(
        &self,
        scene: &Scene,
        cell: &Cell,
        rows: &Axis,
        columns: &Axis,
        found: &mut Said,
        (grader, named): (&Grader, &mut dyn FnMut(usize, f32) -> Option<Name>),
    ) {
        let of_row = || self.beside(cell);
        let labels = rows.labels.get(&cell.row);
        let names = |other: &&Cell| !other.is_value || labels.is_some_and(|labels| labels.contains(&other.line));
        let mut left: Vec<usize> = of_row().filter(|other| other.column < cell.column).filter(names).map(|other| other.line).collect();
        let mut tells = |line: &usize| {
            named(*line, ROW).is_some_and(|name| !name.asks.is_empty() || name.hits.iter().any(|hit| matches!(hit.tag, Tag::Cue(_))))
        };
        if cell.is_value && !left.iter().any(&mut tells) {
            // `| 1.24 ms | latency |`, perhaps behind the label of a part.
            let right = of_row().filter(|other| other.column > cell.column).find(names);
            left.extend(right.filter(|right| scene.lines[right.line].range.len() <= LONGEST_NAME).map(|right| right.line));
        }
        found.names.extend(left.iter().filter_map(|line| named(*line, ROW)));
        found.names.extend(left.iter().filter_map(|line| self.counted(scene, grader, *line, columns)));
        let above = columns.labels.get(&cell.column).into_iter().flatten();
        let column = |name: Name| Name { column: true, ..name };
        found.names.extend(above.filter(|line| **line != cell.line).filter_map(|line| named(*line, COLUMN)).map(column));
    }

    /// The name of a row that is counted under the name of its column: `stage` and below it `2`.
    fn counted(&self, scene: &Scene, grader: &Grader, line: usize, columns: &Axis) -> Option<Name> {
        let of = |line: usize| scene.lines[line].text()[scene.lines[line].range.clone()].trim().trim_matches(['*', '_', '`']);
        let count = of(line);
        if count.is_empty() || count.len() > 2 || !count.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let cell = self.cells.iter().find(|cell| cell.line == line)?;
        let [head] = columns.labels.get(&cell.column)?.as_slice() else { return None };
        let text = format!("{} {count}", of(*head));
        let hits = grader.clues.find(&text, &Words::of(&text));
        let title = Title { asks: asks_named(grader, &text), text, hits, givens: Vec::new(), place: None };
        Some(Name { title: Arc::new(title), column: false, weight: ROW })
    }

    /// What the rows or the columns stand for.
    fn axis(&self, scene: &Scene, grader: &Grader, side: Side) -> Axis {
        let mut axis = Axis::default();
        let index = self.index_column(scene);
        let first = self.cells.iter().filter(|cell| !cell.header && Some(cell.column) != index).map(|cell| cell.column).min();
        for cell in &self.cells {
            match side {
                Side::Columns if cell.header => axis.labels.entry(cell.column).or_default().push(cell.line),
                Side::Rows if !cell.header && Some(cell.column) == first => axis.labels.entry(cell.row).or_default().push(cell.line),
                _ => {}
            }
        }
        let stated: BTreeMap<usize, (Dimension, Value)> =
            axis.labels.iter().filter_map(|(at, lines)| Some((*at, lines.iter().find_map(|line| setting(scene, *line))?))).collect();
        // The name above a column of settings names no setting of its own.
        let distinct = stated.values().map(|(_, value)| value.to_f64().to_bits()).collect::<BTreeSet<_>>().len();
        let one_kind = stated.values().all(|(dimension, _)| Some(dimension) == stated.values().next().map(|(first, _)| first));
        if distinct > 1 && one_kind {
            let names = grader.drill.names.iter().enumerate();
            let given = |(at, name): (usize, &Given)| {
                let same = |(dimension, value): &(Dimension, Value)| {
                    *dimension == name.formula.dimension() && is_close(*dimension, *value, name.formula.value())
                };
                (name.origin == Origin::Given && stated.values().any(same)).then_some(NameId(at))
            };
            axis.varied = names.filter_map(given).collect();
            if !axis.varied.is_empty() {
                axis.settings = stated.iter().map(|(at, (_, value))| (*at, *value)).collect();
            }
        }
        let settled = axis.settings.len() > 1;
        for (at, lines) in &axis.labels {
            let called = lines.iter().any(|line| {
                let line = &scene.lines[*line];
                line.range.len() < 32 && line.hits.iter().any(|hit| hit.tag == Tag::Sign(Sign::Growth))
            });
            // Behind two settings, `ratio` is that of the two.
            let ratio = settled
                && !axis.settings.contains_key(at)
                && lines.iter().any(|line| {
                    let text = scene.lines[*line].text()[scene.lines[*line].range.clone()].trim().to_lowercase();
                    matches!(text.as_str(), "ratio" | "verhältnis" | "quotient" | "256/32" | "256 / 32")
                });
            // The column of the labels states none itself.
            if (called || ratio) && !(side == Side::Columns && Some(*at) == first) {
                axis.factors.insert(*at);
            }
        }
        axis
    }

    /// The column that only counts the rows, as pandas prints it.
    fn index_column(&self, scene: &Scene) -> Option<usize> {
        let first = self.cells.iter().map(|cell| cell.column).min()?;
        let blank = |cell: &Cell| {
            let text = scene.lines[cell.line].text()[scene.lines[cell.line].range.clone()].trim().to_lowercase();
            matches!(text.as_str(), "" | "#" | "nr" | "no" | "no." | "nr." | "i" | "index")
        };
        let named = self.cells.iter().any(|cell| cell.header && cell.column == first && !blank(cell));
        let mut next: Option<i64> = None;
        let mut rows = 0;
        for cell in self.cells.iter().filter(|cell| cell.column == first && !cell.header) {
            let (_, value) = setting(scene, cell.line)?;
            let value = value.to_f64();
            let fits = next.map_or(value == 0.0 || value == 1.0, |next| value == next as f64);
            if !fits {
                return None;
            }
            next = Some(value as i64 + 1);
            rows += 1;
        }
        let others = self.cells.iter().any(|cell| cell.column > first + 1);
        (rows > 1 && !named && others).then_some(first)
    }
}

impl Axis {
    /// The part whose asks alone need the given that a row or column stands for.
    fn part(&self, grader: &Grader, at: usize) -> Option<usize> {
        let drill = grader.drill;
        let value = self.settings.get(&at)?;
        let stands = |given: &&NameId| {
            let formula = &drill.names[given.0].formula;
            is_close(formula.dimension(), *value, formula.value())
        };
        let mut found: Option<usize> = None;
        for given in self.varied.iter().filter(stands) {
            for ask in drill.asks.iter().filter(|ask| ask.needs.contains(*given)) {
                let part = drill.parts.iter().position(|part| part.id == ask.part);
                if found.is_some() && found != part {
                    return None;
                }
                found = part;
            }
        }
        found
    }

    /// What names an ask for another setting names in this row or column the ask that wants the same for its own.
    fn transfer(&self, grader: &Grader, at: usize, found: &mut Said) {
        let Some(value) = self.settings.get(&at) else { return };
        let stands = |given: &&NameId| {
            let formula = &grader.drill.names[given.0].formula;
            is_close(formula.dimension(), *value, formula.value())
        };
        for given in self.varied.iter().filter(stands) {
            for name in &mut found.names {
                let cued = name.hits.iter().filter_map(|hit| match hit.tag {
                    Tag::Cue(ask) => Some(ask),
                    _ => None,
                });
                let named: BTreeSet<usize> = name.asks.iter().copied().chain(cued).collect();
                let others = named.iter().filter(|ask| found.barred.contains(ask));
                let own: BTreeSet<usize> = others.flat_map(|ask| grader.analogs().get(*ask, *given)).collect();
                if !own.is_empty() {
                    let own = own.into_iter().filter(|ask| !named.contains(ask) && !found.barred.contains(ask));
                    Arc::make_mut(&mut name.title).asks.extend(own);
                }
            }
        }
    }

    /// The asks that a row or column rules out by the setting it stands for, or because it states factors.
    fn bar(&self, grader: &Grader, at: usize, barred: &mut BTreeSet<usize>) {
        let drill = grader.drill;
        if let Some(value) = self.settings.get(&at) {
            for (ask, wanted) in drill.asks.iter().enumerate() {
                let needed: Vec<NameId> = self.varied.iter().copied().filter(|given| wanted.needs.contains(*given)).collect();
                let stands = |given: &NameId| {
                    let formula = &drill.names[given.0].formula;
                    is_close(formula.dimension(), *value, formula.value())
                };
                if !needed.is_empty() && !needed.iter().any(stands) {
                    barred.insert(ask);
                }
            }
        }
        let factors = !self.factors.is_empty();
        for ask in (0..drill.asks.len()).filter(|_| factors) {
            let shape = &grader.shapes[ask];
            // What grows between two settings is worked out from both.
            let both = self.varied.iter().filter(|given| drill.asks[ask].needs.contains(**given)).count() != 1;
            if self.factors.contains(&at) && !both {
                barred.insert(ask);
            }
            if self.factors.contains(&at) != shape.is_factor() && (self.factors.contains(&at) || self.settings.contains_key(&at)) {
                barred.insert(ask);
            }
        }
    }
}

fn is_label_of(rows: &Axis, cell: &Cell) -> bool {
    rows.labels.get(&cell.row).is_some_and(|labels| labels.contains(&cell.line))
}

/// The asks that the names of a column name, and whether they name nothing else: the `latency in total` of a list of buckets is
/// no total.
fn asks_of(scene: &Scene, grader: &Grader, names: &mut Names, lines: &[usize]) -> BTreeMap<usize, bool> {
    let mut asks = BTreeMap::new();
    for at in lines {
        let line = &scene.lines[*at];
        let cues = || {
            line.hits.iter().filter_map(|hit: &Hit| match hit.tag {
                Tag::Cue(ask) => Some((ask, &hit.range)),
                _ => None,
            })
        };
        for (ask, _) in cues() {
            let covered = |range: &Range<usize>| cues().any(|(own, by)| own == ask && by.start <= range.start && range.end <= by.end);
            let surely = cues().all(|(_, range)| covered(range));
            *asks.entry(ask).or_insert(surely) |= surely;
        }
        for ask in names.of(scene, grader, *at, COLUMN).iter().flat_map(|name| &name.asks) {
            asks.insert(*ask, true);
        }
    }
    asks
}

/// Which ask wants for one given what another ask wants for another given in its place: the time of 256 GPUs, that of 32.
#[derive(Debug)]
pub(super) struct Analogs(BTreeMap<(usize, NameId), BTreeSet<usize>>);

impl Analogs {
    /// Works the asks out with one given in the place of another.
    pub(super) fn of(drill: &Drill) -> Analogs {
        let mut found: BTreeMap<(usize, NameId), BTreeSet<usize>> = BTreeMap::new();
        let givens = || drill.names.iter().enumerate().filter(|(_, name)| name.origin == Origin::Given);
        for (at, given) in givens() {
            for (other, rival) in givens() {
                let alike = given.formula.dimension() == rival.formula.dimension() && given.noun == rival.noun;
                if at == other || !alike {
                    continue;
                }
                let exchanged = [(NameId(at), rival.formula.value())];
                for (ask, wanted) in drill.asks.iter().enumerate().filter(|(_, ask)| ask.needs.contains(NameId(at))) {
                    let value: Value =
                        wanted.formula.eval(drill.resolve_for(&drill.names_in(std::iter::once(&wanted.formula)), &exchanged).slots());
                    let twins = drill.asks.iter().enumerate().filter(|(twin, candidate)| {
                        *twin != ask
                            && candidate.needs.contains(NameId(other))
                            && candidate.formula.dimension() == wanted.formula.dimension()
                            && (value.to_f64() / candidate.formula.value().to_f64() - 1.0).abs() < 1e-9
                    });
                    let twins: BTreeSet<usize> = twins.map(|(twin, _)| twin).collect();
                    if !twins.is_empty() {
                        found.entry((ask, NameId(other))).or_default().extend(twins);
                    }
                }
            }
        }
        Analogs(found)
    }

    fn get(&self, ask: usize, setting: NameId) -> impl Iterator<Item = usize> + '_ {
        self.0.get(&(ask, setting)).into_iter().flatten().copied()
    }
}

/// The value that a label stands for: the only number in it, where it says little else.
fn setting(scene: &Scene, at: usize) -> Option<(Dimension, Value)> {
    let line = &scene.lines[at];
    let mut numbers = line.numbers.clone().map(|number| &scene.numbers[number]).filter(|number| number.spoken == Spoken::No);
    let number = numbers.next()?;
    let text = line.text();
    let words = |range: Range<usize>| {
        text.get(range)
            .map_or(0, |text| text.split_whitespace().filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2).count())
    };
    let alone = words(line.range.start..number.mention.range.start) + words(number.mention.range.end..line.range.end) <= 3;
    let reading = number.mention.readings.first()?;
    let dimension = reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default();
    (numbers.next().is_none() && alone).then_some((dimension, reading.value))
}

/// Whether two values are one as a label says it: a size is close enough, a number of things is itself.
fn is_close(dimension: Dimension, one: Value, other: Value) -> bool {
    if dimension.is_none() { one == other } else { (one - other).abs() <= other.abs() * Value::decimal(CLOSE.0, CLOSE.1) }
}

/// The asks whose words stand beside a number of theirs in a line: `64 MB (my choice)` is an answer, whatever it labels.
fn claimed<'a>(scene: &'a Scene, grader: &'a Grader, at: usize) -> impl Iterator<Item = usize> + 'a {
    let line = &scene.lines[at];
    line.hits.iter().filter_map(move |hit| {
        let Tag::Cue(ask) = hit.tag else { return None };
        let beside = |number: usize| {
            let mention = &scene.numbers[number].mention;
            let apart = hit.range.end <= mention.range.start || mention.range.end <= hit.range.start;
            apart && mention.unit.is_some() && grader.shapes[ask].fit(mention) == Fit::Natural
        };
        line.numbers.clone().any(beside).then_some(ask)
    })
}

fn claims(scene: &Scene, grader: &Grader, at: usize) -> bool {
    claimed(scene, grader, at).next().is_some()
}

/// Whether a line holds a value and nothing else.
fn is_value(scene: &Scene, at: usize) -> bool {
    let line = &scene.lines[at];
    let text = &line.text()[line.range.clone()];
    let mut rest = 0;
    let mut from = line.range.start;
    for number in line.numbers.clone() {
        let range = &scene.numbers[number].mention.range;
        rest += letters(line.text().get(from..range.start).unwrap_or_default());
        from = from.max(range.end);
    }
    rest += letters(line.text().get(from..line.range.end).unwrap_or_default());
    !line.numbers.is_empty() && rest == 0 && !text.trim().is_empty()
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic() && *c != 'x').count()
}

/// The names that lines are for others (the labels of a table, headings), each worked out once.
#[derive(Default)]
pub(super) struct Names(BTreeMap<usize, Option<Name>>);

impl Names {
    pub(super) fn of(&mut self, scene: &Scene, grader: &Grader, line: usize, weight: f32) -> Option<Name> {
        let known = self.0.entry(line).or_insert_with(|| name(scene, grader, line, weight));
        known.clone().map(|name| Name { weight, ..name })
    }
}

/// A line as the name of another one.
pub(super) fn name(scene: &Scene, grader: &Grader, at: usize, weight: f32) -> Option<Name> {
    let line = &scene.lines[at];
    let text = line.text()[line.range.clone()].trim().to_owned();
    // `256 GPUs = 32 nodes` is about the GPUs.
    let counts = |given: &NameId, noun: &Range<usize>| {
        line.hits.iter().any(|hit| hit.tag == Tag::Noun(given.0) && noun.start < hit.range.end && hit.range.start < noun.end)
    };
    let given = |number: usize| {
        let number = &scene.numbers[number];
        number.is.filter(|given| number.mention.noun.as_ref().is_none_or(|noun| counts(given, noun)))
    };
    let givens = line.numbers.clone().filter_map(given).collect();
    let of_table = matches!(line.source.role, Role::Cell { .. });
    let claimed: BTreeSet<usize> = claimed(scene, grader, at).filter(|_| of_table).collect();
    let hits = line.hits.iter().filter(|hit| !matches!(hit.tag, Tag::Cue(ask) if claimed.contains(&ask))).cloned().collect();
    (!text.is_empty()).then(|| {
        let title = Title { asks: asks_named(grader, &text), text, hits, givens, place: Some((line.block, line.range.clone())) };
        Name { title: Arc::new(title), column: false, weight }
    })
}
