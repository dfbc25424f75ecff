//! Phrases: how an author says which words to look for, and the matcher that finds many of them in one pass.
//!
//! Shared by cues (which asked quantity do these words name?), labels of other readings, and the concepts that a
//! rubric's rules combine.
