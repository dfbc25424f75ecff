//! How a finding stands, in one word and one sentence: for gradebooks and platforms, which have room for no more.

/// How an ask, a criterion, or a whole part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The value is right.
    Right,
    /// It follows rightly from an earlier value that is not right.
    Carried,
    /// It is right, and not in the form asked for.
    Form,
    /// It is not right, and the mistake is known.
    Slip,
    /// It is not right.
    Wrong,
    /// No value was found.
    Missing,
    /// An argument, or terms shown separately: as asked for.
    Met,
    /// In part.
    Partly,
    /// Not.
    NotMet,
    /// Points are taken away.
    Deducted,
    /// As asked for, and what it depends on is not there.
    Withheld,
    /// A person decides.
    Waits,
}

impl Standing {
    /// By the codes of a report: the verdict on a quantity or the outcome of a criterion. A code that this version does
    /// not know is for a person.
    pub fn of(code: &str) -> Standing {
        match code {
            "correct" => Standing::Right,
            "carried_forward" => Standing::Carried,
            "form" => Standing::Form,
            "slip" => Standing::Slip,
            "wrong" => Standing::Wrong,
            "missing" => Standing::Missing,
            "met" => Standing::Met,
            "partly" => Standing::Partly,
            "not_met" => Standing::NotMet,
            _ => Standing::Waits,
        }
    }

    /// A sentence that a student may read: no value, and nothing of the answer.
    pub fn sentence(self) -> &'static str {
        match self {
            Standing::Right => "Right.",
            Standing::Carried => "Follows rightly from an earlier value that is not right.",
            Standing::Form => "The value is right, its form is not as asked.",
            Standing::Slip | Standing::Wrong => "Not right.",
            Standing::Missing => "Not found in the answer.",
            Standing::Met => "As asked for.",
            Standing::Partly => "In part.",
            Standing::NotMet => "Not as asked for.",
            Standing::Deducted => "Points are taken away here.",
            Standing::Withheld => "As asked for, but it counts only together with something that is not there.",
            Standing::Waits => "Waits for a person to read it; not counted yet.",
        }
    }
}

/// What to say of a submission that could not be graded, where its student reads it: the reason follows.
pub const NOT_GRADED: &str = "This submission could not be graded. Nothing is decided by that; course staff will look at it.";
