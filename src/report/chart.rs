//! Line charts as self-contained SVG: readable in print, in dark mode, and by a screen reader.

use std::fmt::Write;

/// A chart of one or more lines over a common axis.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The axis across.
    pub x: Axis,
    /// The axis up.
    pub y: Axis,
    /// The lines, the one to look at first first.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is measured, with its unit.
    pub title: String,
    /// Whether equal factors are equal lengths.
    pub logarithmic: bool,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// From left to right; on a logarithmic axis, only positive points are drawn.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 88.0;

/// Colors that stay apart for color-blind readers and on white and black (Okabe & Ito), and dashes for print.
const STROKES: [(&str, &str); 5] = [("#0072b2", ""), ("#d55e00", "7 4"), ("#009e73", "2 3"), ("#cc79a7", "10 3 2 3"), ("#e69f00", "4 2")];

/// Maps the values of one axis to the picture.
struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let logarithmic = axis.logarithmic;
        let (mut low, mut high) = values
            .filter(|value| value.is_finite() && (!logarithmic || *value > 0.0))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        if !logarithmic {
            low = low.min(0.0);
        }
        if high <= low {
            high = if logarithmic { low * 10.0 } else { low + 1.0 };
        }
        Scale { logarithmic, low, high, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// Where to write numbers: powers of ten, with their doubles and fives where there is room; or round steps.
    fn ticks(&self) -> Vec<f64> {
        let inside = |value: &f64| *value >= self.low * (1.0 - 1e-9) && *value <= self.high * (1.0 + 1e-9);
        if self.logarithmic {
            let decades = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
            let span = (self.high / self.low).log10();
            let between: &[f64] = if span <= 3.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            return decades.flat_map(|decade| between.iter().map(move |b| b * 10_f64.powi(decade))).filter(inside).collect();
        }
        let rough = (self.high - self.low) / 6.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough).unwrap_or(power);
        (0..=12).map(|count| (self.low / step).ceil() * step + f64::from(count) * step).filter(inside).collect()
    }
}

impl Chart {
    /// The chart as an SVG document; the same bytes for the same chart.
    pub fn to_svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| series.points.iter());
        let x = Scale::new(&self.x, points().map(|point| point.0), LEFT, WIDTH - RIGHT);
        let y = Scale::new(&self.y, points().map(|point| point.1), HEIGHT - BOTTOM, TOP);
        let mut svg = String::new();
        self.draw(&mut svg, &x, &y).expect("writing to a string cannot fail");
        svg
    }

    fn draw(&self, svg: &mut String, x: &Scale, y: &Scale) -> std::fmt::Result {
        let title = escaped(&self.title);
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13">"#
        )?;
        writeln!(svg, "<title id=\"title\">{title}</title>")?;
        writeln!(
            svg,
            "<desc id=\"description\">{}: {} over {}</desc>",
            escaped(&names.join(", ")),
            escaped(&self.y.title),
            escaped(&self.x.title)
        )?;
        svg.push_str(
            "<style>svg{color:#222;background:#fff}@media(prefers-color-scheme:dark){svg{color:#ddd;background:#161616}}</style>\n",
        );
        writeln!(svg, r#"<text x="{LEFT}" y="26" font-size="16" font-weight="600" fill="currentColor">{title}</text>"#)?;
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for tick in x.ticks() {
            let at = x.place(tick);
            writeln!(svg, r#"<line x1="{at:.1}" y1="{TOP}" x2="{at:.1}" y2="{bottom}" stroke="currentColor" stroke-opacity="0.12"/>"#)?;
            writeln!(svg, r#"<text x="{at:.1}" y="{:.1}" text-anchor="middle" fill="currentColor">{}</text>"#, bottom + 18.0, label(tick))?;
        }
        for tick in y.ticks() {
            let at = y.place(tick);
            writeln!(svg, r#"<line x1="{LEFT}" y1="{at:.1}" x2="{right}" y2="{at:.1}" stroke="currentColor" stroke-opacity="0.12"/>"#)?;
            writeln!(
                svg,
                r#"<text x="{:.1}" y="{:.1}" text-anchor="end" fill="currentColor">{}</text>"#,
                LEFT - 8.0,
                at + 4.0,
                label(tick)
            )?;
        }
        writeln!(svg, r#"<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="currentColor" stroke-opacity="0.6"/>"#)?;
        writeln!(
            svg,
            r#"<text x="{:.1}" y="{:.1}" text-anchor="middle" fill="currentColor">{}</text>"#,
            (LEFT + right) / 2.0,
            bottom + 40.0,
            escaped(&self.x.title)
        )?;
        writeln!(svg, r#"<text x="{:.1}" y="{:.1}" fill="currentColor">{}</text>"#, 10.0, TOP - 6.0, escaped(&self.y.title))?;
        let mut legend = LEFT;
        for (series, (color, dashes)) in self.series.iter().zip(STROKES.iter().cycle()) {
            let drawn = |point: &&(f64, f64)| (!x.logarithmic || point.0 > 0.0) && (!y.logarithmic || point.1 > 0.0);
            let places: Vec<String> =
                series.points.iter().filter(drawn).map(|point| format!("{:.1},{:.1}", x.place(point.0), y.place(point.1))).collect();
            writeln!(
                svg,
                r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2.5" stroke-dasharray="{dashes}"><title>{}</title></polyline>"#,
                places.join(" "),
                escaped(&series.name)
            )?;
            for point in series.points.iter().filter(drawn) {
                writeln!(
                    svg,
                    r#"<circle cx="{:.1}" cy="{:.1}" r="3.5" fill="{color}"><title>{}: {} at {}</title></circle>"#,
                    x.place(point.0),
                    y.place(point.1),
                    escaped(&series.name),
                    label(point.1),
                    label(point.0)
                )?;
            }
            let base = HEIGHT - 18.0;
            writeln!(
                svg,
                r#"<line x1="{legend:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{color}" stroke-width="2.5" stroke-dasharray="{dashes}"/>"#,
                base - 4.0,
                legend + 28.0,
                base - 4.0
            )?;
            writeln!(svg, r#"<text x="{:.1}" y="{base:.1}" fill="currentColor">{}</text>"#, legend + 34.0, escaped(&series.name))?;
            legend += 60.0 + 7.5 * series.name.chars().count() as f64;
        }
        svg.push_str("</svg>\n");
        Ok(())
    }
}

/// Three figures, and no more zeros than needed.
fn label(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = (2 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(f64, f64)]) -> Chart {
        let axis = |title: &str| Axis { title: title.to_owned(), logarithmic: true };
        Chart {
            title: "a < b & \"c\"".to_owned(),
            x: axis("GPUs"),
            y: axis("ms"),
            series: vec![Series { name: "total".to_owned(), points: points.to_vec() }],
        }
    }

    #[test]
    fn text_in_a_chart_is_inert() {
        let svg = chart(&[(1.0, 2.0), (2.0, 4.0)]).to_svg();
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;") && !svg.contains("a < b"));
    }

    #[test]
    fn points_lie_inside_the_frame() {
        let svg = chart(&[(8.0, 182.0), (1024.0, 248.7)]).to_svg();
        assert!(svg.contains(r#"cx="72.0" cy="352.0""#), "the lowest point stands in the corner:\n{svg}");
        assert!(svg.contains(r#"cx="736.0" cy="48.0""#));
    }

    #[test]
    fn nothing_to_draw_is_still_a_chart() {
        for points in [&[][..], &[(8.0, 0.0)], &[(8.0, 5.0)], &[(0.0, f64::NAN)]] {
            let svg = chart(points).to_svg();
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn labels_have_three_figures() {
        assert_eq!([0.0, 0.05, 1.24, 201.5, 16_384.0].map(label), ["0", "0.05", "1.24", "202", "16384"]);
    }
}
