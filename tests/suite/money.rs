//! Amounts of money, and units that nobody knows: which are right, and which a person has to look at.

use std::sync::LazyLock;

use drillmark::answer::{Answer, Kind};
use drillmark::drill::Drill;
use drillmark::grade::{self, Verdict};
use drillmark::text::Source;

const DRILL: &str = r#"
format = 1
id = "cloud"
title = "The cloud bill"
summary = "What a cluster costs."

[given]
price = { value = "2.5 EUR/h", says = "the price of a GPU hour" }
n = { value = "8", noun = "GPUs", says = "the GPUs" }
hours = { value = "730 h", says = "the hours of a month" }
store = { value = "500 GB", says = "what is stored" }
each = { value = "0.02 USD/GB", says = "the price of a gigabyte" }

[[part]]
id = "a"
title = "A month"
text = "What do 8 GPUs cost in 730 hours?"

[[part.ask]]
id = "a.bill"
asks = "the bill of a month"
value = "price*n*hours"
unit = "EUR"
required = true
cues = ["bill", "cost*", "Kosten"]

[[part]]
id = "b"
title = "The rate"
text = "What is that a month, on average?"

[[part.ask]]
id = "b.rate"
asks = "the price of a month"
value = "price*n"
unit = "EUR/month"
required = true
cues = ["rate", "price"]

[[part]]
id = "c"
title = "The storage"
text = "What does the storage cost?"

[[part.ask]]
id = "c.storage"
asks = "the price of the storage"
value = "store*each"
unit = "USD"
required = true
cues = ["storage", "cost*"]
"#;

const RUBRIC: &str = r#"
format = 1
id = "cloud"
drill = "cloud"

[values]
"a.bill" = 1.0
"b.rate" = 1.0
"c.storage" = 1.0
"#;

/// The verdict on an ask of the drill, and why a person decides where one does.
fn verdict(ask: &str, text: &str) -> (Verdict, &'static str) {
    static CLOUD: LazyLock<Drill> = LazyLock::new(|| {
        Drill::load(&Source::new("drills/cloud.toml", DRILL), &Source::new("rubrics/cloud.toml", RUBRIC)).expect("the drill is sound")
    });
    let grade = grade::grade(&CLOUD, &Answer::read("answer.md", text, Kind::Markdown));
    let finding = grade.quantities.iter().find(|finding| finding.ask == ask).expect("the ask is there");
    (finding.verdict, grade.review.iter().find(|item| item.id == ask).map_or("", |item| item.why.code()))
}

#[test]
fn amounts_are_right_in_their_currency_however_it_is_written() {
    for amount in ["14600 EUR", "14600 €", "€14600", "14,600 euros", "EUR 14600", "14.6 k€", "14.6k EUR", "1460000 cents"] {
        assert_eq!(verdict("a.bill", &format!("(a) The bill is {amount}.")), (Verdict::Correct, ""), "{amount}");
    }
    for amount in ["10 USD", "$10", "10 $", "10 dollars", "US$10", "USD 10.00", "1000 cents"] {
        assert_eq!(verdict("c.storage", &format!("(c) The storage costs {amount}.")), (Verdict::Correct, ""), "{amount}");
    }
}

#[test]
fn a_price_by_the_month_is_found_in_every_spelling() {
    for rate in [
        "14610 EUR per month",
        "14610 EUR/month",
        "14610 € pro Monat",
        "14610 €/Monat",
        "14610 € im Monat",
        "14610 euros a month",
        "€14610/mo",
        "20 €/h",
        "20 € pro Stunde",
        "480 €/day",
    ] {
        assert_eq!(verdict("b.rate", &format!("(b) The rate is {rate}.")), (Verdict::Correct, ""), "{rate}");
    }
}

#[test]
fn there_is_no_rate_between_two_currencies() {
    for amount in ["14600 $", "14600 USD", "£14600", "14600 GBP", "15000 CHF", "14600 EUR/month"] {
        assert_eq!(verdict("a.bill", &format!("(a) The bill is {amount}.")), (Verdict::Unclear, "unconvertible-unit"), "{amount}");
    }
    assert_eq!(verdict("b.rate", "(b) The rate is 14610 $/month."), (Verdict::Unclear, "unconvertible-unit"));
    assert_eq!(verdict("b.rate", "(b) The rate is 14610 €."), (Verdict::Unclear, "unconvertible-unit"));
    assert_eq!(verdict("a.bill", "(a) The bill is 14600 € (about $15,800)."), (Verdict::Correct, ""));
}

#[test]
fn a_unit_that_nobody_knows_is_for_a_person() {
    for amount in ["14600 blips", "14600 florins", "14600 ct.", "14600 Fr.", "14600 CAD", "14600 ₽"] {
        assert_eq!(verdict("a.bill", &format!("(a) The bill is {amount}.")), (Verdict::Unclear, "unknown-unit"), "{amount}");
    }
    // What only goes on with the sentence is none.
    for amount in ["14600", "14600 in total", "14600 for the GPUs", "14600 altogether"] {
        assert_eq!(verdict("a.bill", &format!("(a) The bill is {amount}.")), (Verdict::Form, ""), "{amount}");
    }
}
