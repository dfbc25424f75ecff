//! Environments: lists, tables, listings, and what is left out.

use crate::answer::Role;
use crate::answer::latex::{Group, MAX_GROUPS, Reader, Table};
use crate::answer::markup;
use crate::answer::page::Ink;
use crate::answer::tex::{self, Mode, Until};

impl Reader<'_> {
    pub(super) fn begin(&mut self) {
        let argument = self.argument();
        let name = self.slice(argument);
        let plain = name.trim_end_matches('*');
        if markup::is_math_environment(name) && !(plain == "array" && self.table.is_some()) {
            if plain.starts_with("alignat") || plain == "array" {
                self.options();
                self.argument();
            }
            let end = format!("\\end{{{name}}}");
            return self.formula(true, Until::Command(&end));
        }
        match plain {
            "comment" | "filecontents" | "thebibliography" | "tikzpicture" => return self.skip_to(&format!("\\end{{{name}}}")),
            "verbatim" | "Verbatim" | "lstlisting" | "minted" | "alltt" => return self.code(name),
            _ => {}
        }
        if self.groups.len() >= MAX_GROUPS {
            return;
        }
        let mut group = Group { environment: Some(name.to_owned()), ..Group::default() };
        *self.environments.entry(name.to_owned()).or_default() += 1;
        self.page.finish();
        group.block = true;
        match plain {
            "enumerate" | "itemize" | "description" | "compactenum" | "compactitem" | "inparaenum" | "parts" | "subparts" | "questions"
            | "tasks" | "list" | "trivlist" => {
                let options = self.options();
                self.lists.open(plain, self.slice(options));
                group.list = true;
            }
            "tabular" | "tabularx" | "longtable" | "tabulary" | "tabu" | "supertabular" | "array" | "tblr" => {
                self.options();
                if matches!(plain, "tabularx" | "tabulary") || name == "tabular*" {
                    self.argument();
                }
                self.argument();
                group.table = Some(self.table);
                self.table = Some(Table { number: self.page.next_table(), row: 0, column: 0, header: self.has_header() });
            }
            "quote" | "quotation" | "displayquote" => {
                self.page.quoted += 1;
                group.quoted = 1;
            }
            _ => {
                self.options();
                if matches!(plain, "minipage" | "multicols" | "adjustbox" | "wrapfigure") {
                    self.argument();
                }
            }
        }
        let is_table = group.table.is_some();
        self.groups.push(group);
        if is_table {
            let Some(Table { number, header, .. }) = self.table else { return };
            self.page.begin(Role::Cell { table: number, row: 0, column: 0, header });
        }
    }

    /// Whether the first row of the table that begins here names the columns: a rule follows it that only parts a head from
    /// what is below it, or one that may stand anywhere and no digit is in the row.
    fn has_header(&self) -> bool {
        let head = self.rest();
        let head = &head[..head.floor_char_boundary(500)];
        let Some((row, after)) = head.split_once("\\\\") else { return false };
        let after = after.trim_start_matches(|c: char| c.is_whitespace());
        let rule = ["\\hline", "\\midrule", "\\cmidrule", "\\cline", "\\toprule"].iter().any(|rule| after.starts_with(rule));
        rule && (after.starts_with("\\midrule") || !row.contains(|c: char| c.is_ascii_digit()))
    }

    /// The next cell, `rows` further down.
    pub(super) fn cell(&mut self, rows: usize) {
        let Some(table) = &mut self.table else { return };
        table.row += rows;
        table.column = if rows > 0 { 0 } else { table.column + 1 };
        let Table { number, row, column, header } = *table;
        self.page.begin(Role::Cell { table: number, row, column, header: header && row == 0 });
    }

    /// Ends an environment, and what was left open inside.
    pub(super) fn end_of(&mut self, name: &str) {
        match self.environments.get_mut(name) {
            Some(open) if *open > 0 => *open -= 1,
            _ => {
                if name == "document" {
                    self.at = self.end;
                }
                return;
            }
        }
        self.page.finish();
        while let Some(group) = self.groups.last() {
            let environment = group.environment.clone();
            self.close();
            match environment {
                Some(environment) if environment == name => break,
                Some(environment) => {
                    if let Some(open) = self.environments.get_mut(&environment) {
                        *open = open.saturating_sub(1);
                    }
                }
                None => {}
            }
        }
    }

    pub(super) fn item(&mut self, from: usize) {
        self.page.finish();
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let written = self.options().filter(|_| self.text[from..].starts_with("\\item"));
        let marker = match written {
            Some(span) => {
                let mut ink = Ink::default();
                tex::flatten(self.text, span, Mode::Text, &self.macros, true, &mut ink);
                ink.passage.text().trim().to_owned()
            }
            None => self.lists.next(),
        };
        self.page.begin(Role::Item { marker, depth: self.lists.depth().max(1) });
    }

    /// A code listing.
    fn code(&mut self, name: &str) {
        let options = self.options();
        let mut language =
            self.slice(options).split("language=").nth(1).and_then(|rest| rest.split([',', '}']).next()).unwrap_or("").to_owned();
        if name == "minted" {
            let argument = self.argument();
            self.slice(argument).clone_into(&mut language);
        }
        let end = format!("\\end{{{name}}}");
        let length = self.rest().find(&end).unwrap_or(self.rest().len());
        self.page.begin(Role::Code(language));
        let code = &self.rest()[..length];
        let trimmed = code.trim_start_matches(['\r', '\n']);
        self.page.push(trimmed, self.at + code.len() - trimmed.len());
        self.page.finish();
        self.at = (self.at + length + end.len()).min(self.end);
    }

    pub(super) fn skip_to(&mut self, end: &str) {
        self.at = self.rest().find(end).map_or(self.end, |length| self.at + length + end.len());
    }
}
