//! How a verdict looks at a glance, in every layout: a sign, a word, and a name for its color and its line.

/// A verdict or an outcome, as it is drawn. The order is that of a bar, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Look {
    Right,
    Carried,
    Partly,
    Slip,
    Wrong,
    Missing,
    Person,
}

impl Look {
    /// All of them.
    pub(crate) const ALL: [Look; 7] = [Look::Right, Look::Carried, Look::Partly, Look::Slip, Look::Wrong, Look::Missing, Look::Person];

    /// Of a verdict or an outcome by its code in machine-readable reports. What is not known is for a person.
    pub(crate) fn of_code(code: &str) -> Look {
        match code {
            "correct" | "met" => Look::Right,
            "carried_forward" => Look::Carried,
            "form" | "partly" => Look::Partly,
            "slip" => Look::Slip,
            "wrong" | "not_met" => Look::Wrong,
            "missing" => Look::Missing,
            _ => Look::Person,
        }
    }

    /// One character that tells it without color.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Look::Right => "✓",
            Look::Carried => "→",
            Look::Partly => "~",
            Look::Slip | Look::Wrong => "✗",
            Look::Missing => "–",
            Look::Person => "?",
        }
    }

    /// What it says, as a phrase that follows a number of answers or stands alone.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Look::Right => "right",
            Look::Carried => "follows from an earlier error",
            Look::Partly => "right in part",
            Look::Slip => "a known mistake",
            Look::Wrong => "not right",
            Look::Missing => "not found",
            Look::Person => "for a person",
        }
    }

    /// Its name in style sheets.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Look::Right => "v-right",
            Look::Carried => "v-carried",
            Look::Partly => "v-partly",
            Look::Slip => "v-slip",
            Look::Wrong => "v-wrong",
            Look::Missing => "v-missing",
            Look::Person => "v-person",
        }
    }
}
