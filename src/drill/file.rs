//! The shapes of a drill's and a rubric's TOML, as the author wrote them: nothing is checked here but types and keys.

use super::fields::{Fields, Figure, Report, Text, Value};
use crate::text::Span;

/// A drill's file.
pub(super) struct DrillFile {
    pub(super) format: Option<Figure>,
    pub(super) id: Text,
    pub(super) title: Text,
    pub(super) summary: Option<Text>,
    pub(super) defaults: Rules,
    pub(super) given: Vec<NameFile>,
    pub(super) assume: Vec<NameFile>,
    pub(super) lets: Vec<NameFile>,
    pub(super) unit: Vec<(Text, Text)>,
    pub(super) parts: Vec<PartFile>,
}

/// How an ask is judged; an ask may override what holds for all.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) tolerance: Option<Text>,
    pub(super) absolute: Option<Text>,
    pub(super) min_figures: Option<Figure>,
    pub(super) plausible: Option<Figure>,
}

/// A given, an assumption or a let.
pub(super) struct NameFile {
    pub(super) name: Text,
    /// Missing, after an error, where none can be read: the name is known all the same.
    pub(super) value: Option<Text>,
    pub(super) says: Option<Text>,
    pub(super) noun: Option<Text>,
    pub(super) symbols: Vec<Text>,
    pub(super) draws: DrawsFile,
}

/// The values that a given may have instead of its own: a list, or every step of a range.
#[derive(Default)]
pub(super) struct DrawsFile {
    pub(super) from: Vec<Text>,
    pub(super) range: Vec<Text>,
    pub(super) step: Option<Text>,
}

/// A part, or an item of one.
pub(super) struct PartFile {
    pub(super) id: Text,
    pub(super) title: Text,
    pub(super) topics: Vec<Text>,
    pub(super) text: Option<Text>,
    pub(super) asks: Vec<AskFile>,
    pub(super) items: Vec<PartFile>,
}

/// An asked quantity.
pub(super) struct AskFile {
    pub(super) id: Text,
    pub(super) asks: Text,
    pub(super) value: Option<Text>,
    pub(super) unit: Option<Text>,
    pub(super) in_unit: bool,
    pub(super) noun: Option<Text>,
    pub(super) required: bool,
    pub(super) kind: Option<Text>,
    pub(super) accept: Vec<Text>,
    pub(super) symbols: Vec<Text>,
    pub(super) cues: Vec<Text>,
    pub(super) not_cues: Vec<Text>,
    pub(super) readings: Vec<ReadingFile>,
    pub(super) mistakes: Vec<MistakeFile>,
    pub(super) sum: Vec<Text>,
    pub(super) rules: Rules,
}

/// Another right value.
pub(super) struct ReadingFile {
    pub(super) id: Text,
    pub(super) value: Option<Text>,
    pub(super) unit: Option<Text>,
    pub(super) credit: Text,
    pub(super) says: Text,
    pub(super) label: Vec<Text>,
    pub(super) words: Vec<Text>,
    pub(super) rules: Rules,
}

/// A known wrong value.
pub(super) struct MistakeFile {
    pub(super) id: Text,
    pub(super) value: Option<Text>,
    pub(super) says: Text,
    pub(super) words: Vec<Text>,
}

impl DrillFile {
    pub(super) fn read(mut fields: Fields) -> DrillFile {
        let file = DrillFile {
            format: fields.figure("format"),
            id: fields.need_text("id"),
            title: fields.need_text("title"),
            summary: fields.text("summary"),
            defaults: fields
                .table("defaults")
                .map(|mut defaults| {
                    let rules = Rules::read(&mut defaults);
                    defaults.finish();
                    rules
                })
                .unwrap_or_default(),
            given: names(&mut fields, "given"),
            assume: names(&mut fields, "assume"),
            lets: names(&mut fields, "let"),
            unit: fields.entries("unit").into_iter().filter_map(|(name, value)| Some((name.clone(), quantity(&name, &value)?))).collect(),
            parts: fields.tables("part").into_iter().map(PartFile::read).collect(),
        };
        fields.reasons();
        fields.finish();
        file
    }
}

fn quantity(name: &Text, value: &Value) -> Option<Text> {
    let text = value.written();
    if text.is_none() {
        value.wrong_type(&name.value, "a quantity");
    }
    text
}

impl Rules {
    fn read(fields: &mut Fields) -> Rules {
        Rules {
            tolerance: fields.quantity("tolerance"),
            absolute: fields.text("absolute"),
            min_figures: fields.figure("min_figures"),
            plausible: fields.figure("plausible"),
        }
    }
}

fn names(fields: &mut Fields, key: &'static str) -> Vec<NameFile> {
    fields.entries(key).into_iter().map(|(name, value)| NameFile::read(name, &value)).collect()
}

impl NameFile {
    fn read(name: Text, value: &Value) -> NameFile {
        let bare = |name, value| NameFile { name, value, says: None, noun: None, symbols: Vec::new(), draws: DrawsFile::default() };
        if let Some(value) = value.written() {
            return bare(name, Some(value));
        }
        let Some(mut fields) = value.table() else {
            value.wrong_type(&name.value, "a formula or a table with a `value`");
            return bare(name, None);
        };
        let file = NameFile {
            name,
            value: fields.need_quantity("value"),
            says: fields.text("says"),
            noun: fields.text("noun"),
            symbols: fields.texts("symbols"),
            draws: DrawsFile { from: fields.quantities("from"), range: fields.quantities("range"), step: fields.quantity("step") },
        };
        fields.reasons();
        fields.finish();
        file
    }
}

impl PartFile {
    fn read(mut fields: Fields) -> PartFile {
        let part = PartFile {
            id: fields.need_text("id"),
            title: fields.need_text("title"),
            topics: fields.texts("topics"),
            text: fields.text("text"),
            asks: fields.tables("ask").into_iter().map(AskFile::read).collect(),
            items: fields.tables("item").into_iter().map(PartFile::read).collect(),
        };
        fields.reasons();
        fields.finish();
        part
    }
}

impl AskFile {
    fn read(mut fields: Fields) -> AskFile {
        let ask = AskFile {
            id: fields.need_text("id"),
            asks: fields.need_text("asks"),
            value: fields.need_quantity("value"),
            unit: fields.text("unit"),
            in_unit: fields.flag("in_unit").unwrap_or(false),
            noun: fields.text("noun"),
            required: fields.flag("required").unwrap_or(false),
            kind: fields.text("kind"),
            accept: fields.texts("accept"),
            symbols: fields.texts("symbols"),
            cues: fields.texts("cues"),
            not_cues: fields.texts("not_cues"),
            readings: fields.tables("reading").into_iter().map(ReadingFile::read).collect(),
            mistakes: fields.tables("mistake").into_iter().map(MistakeFile::read).collect(),
            sum: fields.texts("sum"),
            rules: Rules::read(&mut fields),
        };
        fields.reasons();
        fields.finish();
        ask
    }
}

impl ReadingFile {
    fn read(mut fields: Fields) -> ReadingFile {
        let reading = ReadingFile {
            id: fields.need_text("id"),
            value: fields.need_quantity("value"),
            unit: fields.text("unit"),
            credit: fields.need_text("credit"),
            says: fields.need_text("says"),
            label: fields.texts("label"),
            words: fields.texts("words"),
            rules: Rules::read(&mut fields),
        };
        fields.reasons();
        fields.finish();
        reading
    }
}

impl MistakeFile {
    fn read(mut fields: Fields) -> MistakeFile {
        let mistake = MistakeFile {
            id: fields.need_text("id"),
            value: fields.need_quantity("value"),
            says: fields.need_text("says"),
            words: fields.texts("words"),
        };
        fields.reasons();
        fields.finish();
        mistake
    }
}

/// A rubric's file.
pub(super) struct RubricFile {
    pub(super) format: Option<Figure>,
    pub(super) id: Text,
    pub(super) drill: Text,
    /// What all points come to, where the author says so.
    pub(super) total: Option<Figure>,
    /// What the points of each part come to, where the author says so.
    pub(super) totals: Vec<(Text, Figure)>,
    pub(super) handout: Option<Text>,
    pub(super) credit: CreditFile,
    pub(super) values: Vec<(Text, Figure)>,
    pub(super) concepts: Vec<ConceptFile>,
    pub(super) criteria: Vec<CriterionFile>,
    pub(super) caps: Vec<CapFile>,
}

/// Shares of an ask's points.
#[derive(Default)]
pub(super) struct CreditFile {
    pub(super) partial_reading: Option<Figure>,
    pub(super) form: Option<Figure>,
    pub(super) missing_unit: Option<Figure>,
    pub(super) carried: Option<Figure>,
    pub(super) slip: Option<Figure>,
    pub(super) arithmetic_slip: Option<Figure>,
}

/// A concept: phrases, figures, or a rule.
pub(super) struct ConceptFile {
    pub(super) name: Text,
    pub(super) phrases: Vec<Text>,
    pub(super) figures: Vec<FigureFile>,
    pub(super) means: Vec<FigureFile>,
    pub(super) rule: Option<Text>,
}

/// A quantity that says something when it stands in a text.
pub(super) struct FigureFile {
    pub(super) value: Option<Text>,
    pub(super) unit: Option<Text>,
    pub(super) tolerance: Option<Text>,
    pub(super) ask: Option<Text>,
}

/// Something that is looked for besides values.
pub(super) struct CriterionFile {
    pub(super) id: Text,
    pub(super) part: Text,
    pub(super) points: Figure,
    /// Whether `points` was written as `deduct`.
    pub(super) deducts: bool,
    pub(super) only_if: Option<Text>,
    pub(super) either: Option<Text>,
    pub(super) levels: Vec<LevelFile>,
    pub(super) kind: Text,
    pub(super) says: Option<Text>,
    pub(super) separate: Option<SeparateFile>,
    pub(super) met: Option<Text>,
    pub(super) partly: Option<Text>,
    pub(super) partly_share: Option<Figure>,
    pub(super) not_met: Option<Text>,
    pub(super) review: Option<Text>,
    pub(super) student: Option<StudentFile>,
    pub(super) note: Option<Text>,
    pub(super) samples: Vec<(Text, Text)>,
}

/// A step between nothing and all of a criterion.
pub(super) struct LevelFile {
    pub(super) share: Figure,
    pub(super) says: Text,
}

/// Criteria that together earn no more than so much.
pub(super) struct CapFile {
    pub(super) of: Vec<Text>,
    pub(super) at_most: Figure,
    pub(super) span: Span,
}

/// A sum whose terms are to be shown.
pub(super) struct SeparateFile {
    pub(super) of: Text,
    pub(super) terms: Vec<Text>,
    pub(super) partly: Option<Figure>,
}

/// What students read about a criterion.
pub(super) struct StudentFile {
    pub(super) met: Option<Text>,
    pub(super) partly: Option<Text>,
    pub(super) not_met: Option<Text>,
    pub(super) hint: Option<Text>,
}

impl RubricFile {
    pub(super) fn read(mut fields: Fields) -> RubricFile {
        let file = RubricFile {
            format: fields.figure("format"),
            id: fields.need_text("id"),
            drill: fields.need_text("drill"),
            total: fields.figure("total"),
            totals: figures(&mut fields, "totals"),
            handout: fields.text("handout"),
            credit: fields.table("credit").map(CreditFile::read).unwrap_or_default(),
            values: figures(&mut fields, "values"),
            concepts: fields.entries("concept").into_iter().filter_map(|(name, value)| ConceptFile::read(name, &value)).collect(),
            criteria: fields.tables("criterion").into_iter().map(CriterionFile::read).collect(),
            caps: fields.tables("cap").into_iter().map(CapFile::read).collect(),
        };
        fields.reasons();
        fields.finish();
        file
    }
}

fn figures(fields: &mut Fields, key: &'static str) -> Vec<(Text, Figure)> {
    let mut figures = Vec::new();
    for (name, value) in fields.entries(key) {
        match value.figure() {
            Some(figure) => figures.push((name, figure)),
            None => value.wrong_type(&name.value, "a number of points"),
        }
    }
    figures
}

impl CreditFile {
    fn read(mut fields: Fields) -> CreditFile {
        let credit = CreditFile {
            partial_reading: fields.figure("partial_reading"),
            form: fields.figure("form"),
            missing_unit: fields.figure("missing_unit"),
            carried: fields.figure("carried"),
            slip: fields.figure("slip"),
            arithmetic_slip: fields.figure("arithmetic_slip"),
        };
        fields.finish();
        credit
    }
}

impl ConceptFile {
    fn read(name: Text, value: &Value) -> Option<ConceptFile> {
        let Some(mut fields) = value.table() else {
            value.wrong_type(&name.value, "a table with `phrases`, `figures` or a `rule`");
            return None;
        };
        let phrases = fields.texts("phrases");
        let figures = fields.tables("figures").into_iter().map(FigureFile::read).collect();
        let means = fields.tables("means").into_iter().map(FigureFile::read).collect::<Vec<FigureFile>>();
        let rule = fields.text("rule");
        if phrases.is_empty() && !means.is_empty() {
            fields.report.error("missing-key", fields.span, "what `means` a quantity has `phrases`: the words that name it");
        }
        let concept = ConceptFile { name, phrases, figures, means, rule };
        if concept.phrases.is_empty() && concept.figures.is_empty() && concept.rule.is_none() {
            fields.report.error("missing-key", fields.span, "a concept without `phrases`, `figures` or a `rule`");
        }
        fields.reasons();
        fields.finish();
        Some(concept)
    }
}

impl FigureFile {
    fn read(mut fields: Fields) -> FigureFile {
        let figure = FigureFile {
            value: fields.need_quantity("value"),
            unit: fields.text("unit"),
            tolerance: fields.quantity("tolerance"),
            ask: fields.text("ask"),
        };
        fields.finish();
        figure
    }
}

impl CriterionFile {
    fn read(mut fields: Fields) -> CriterionFile {
        let id = fields.need_text("id");
        let (points, deduct) = (fields.figure("points"), fields.figure("deduct"));
        if let (Some(points), Some(deduct)) = (points, deduct) {
            let found = fields.report.error("bad-criterion", deduct.span, "a criterion gives points or deducts them, not both");
            found.also(points.span, "the points that it gives");
        }
        let deducts = deduct.is_some();
        let points = deduct.or(points).unwrap_or_else(|| {
            let found = fields.report.error("missing-key", fields.span, "`points` is missing here");
            found.help("write `points = 1.0`, or `deduct = 1.0` for something that costs points");
            Figure { value: 0.0, span: fields.span }
        });
        let criterion = CriterionFile {
            id,
            points,
            deducts,
            only_if: fields.text("only_if"),
            either: fields.text("either"),
            levels: fields.tables("level").into_iter().map(LevelFile::read).collect(),
            part: fields.need_text("part"),
            kind: fields.need_text("kind"),
            says: fields.text("says"),
            separate: fields.table("separate").map(SeparateFile::read),
            met: fields.text("met"),
            partly: fields.text("partly"),
            partly_share: fields.figure("partly_share"),
            not_met: fields.text("not_met"),
            review: fields.text("review"),
            student: fields.table("student").map(StudentFile::read),
            note: fields.text("note"),
            samples: fields.tables("sample").into_iter().map(sample).collect(),
        };
        fields.reasons();
        fields.finish();
        criterion
    }
}

fn sample(mut fields: Fields) -> (Text, Text) {
    let sample = (fields.need_text("text"), fields.need_text("outcome"));
    fields.finish();
    sample
}

fn need_figure(fields: &mut Fields, key: &'static str) -> Figure {
    fields.figure(key).unwrap_or_else(|| {
        fields.report.error("missing-key", fields.span, format!("`{key}` is missing here"));
        Figure { value: 0.0, span: fields.span }
    })
}

impl LevelFile {
    fn read(mut fields: Fields) -> LevelFile {
        let level = LevelFile { share: need_figure(&mut fields, "share"), says: fields.need_text("says") };
        fields.finish();
        level
    }
}

impl CapFile {
    fn read(mut fields: Fields) -> CapFile {
        let cap = CapFile { of: fields.texts("of"), at_most: need_figure(&mut fields, "at_most"), span: fields.span };
        fields.finish();
        cap
    }
}

impl SeparateFile {
    fn read(mut fields: Fields) -> SeparateFile {
        let separate = SeparateFile { of: fields.need_text("of"), terms: fields.texts("terms"), partly: fields.figure("partly") };
        fields.finish();
        separate
    }
}

impl StudentFile {
    fn read(mut fields: Fields) -> StudentFile {
        let student = StudentFile {
            met: fields.text("met"),
            partly: fields.text("partly"),
            not_met: fields.text("not_met"),
            hint: fields.text("hint"),
        };
        fields.finish();
        student
    }
}

/// The tables of a file, and what was wrong with its syntax.
pub(super) fn syntax(report: &Report, errors: &[toml::de::Error]) {
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().lines().next().unwrap_or_default();
        let start = span.start.min(report.source.text().len());
        let end = span.end.clamp(start, report.source.text().len());
        report.error("toml-syntax", Span::new(start, end), message);
    }
}
