//! Grading: which mention answers which ask, what each is worth, which mistake was made. Decides, and never speaks.
