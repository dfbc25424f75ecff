//! Every sentence a student or grader reads (`wording`) and every layout they come in.
