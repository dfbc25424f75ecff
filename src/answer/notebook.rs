//! Jupyter notebooks: the cells in order, and what the code cells printed, each with its place in the file.

use crate::answer::json::{self, Node};
use crate::answer::{Block, Role, drawn, markdown, plain};
use crate::text::Passage;

/// Reads a notebook into blocks; what is no notebook is plain text.
pub(crate) fn read(text: &str) -> Vec<Block> {
    let Some(notebook) = json::parse(text) else { return plain::read(text) };
    let cells: Vec<&Node> = match notebook.get("cells") {
        Some(cells) => cells.items().iter().collect(),
        // Version 3 has sheets of cells.
        None => notebook
            .get("worksheets")
            .map_or(&[][..], Node::items)
            .iter()
            .filter_map(|sheet| sheet.get("cells"))
            .flat_map(Node::items)
            .collect(),
    };
    if cells.is_empty() {
        return plain::read(text);
    }
    let language = ["kernelspec", "language_info"].iter().find_map(|info| {
        let info = notebook.get("metadata")?.get(info)?;
        info.get("language").or_else(|| info.get("name")).map(|name| name.text(text))
    });
    let mut reader = Reader { text, language: language.unwrap_or_default(), tables: 0, blocks: Vec::new() };
    for cell in cells {
        reader.cell(cell);
    }
    reader.blocks
}

struct Reader<'a> {
    text: &'a str,
    language: String,
    /// How many tables there are so far.
    tables: usize,
    blocks: Vec<Block>,
}

impl Reader<'_> {
    fn cell(&mut self, cell: &Node) {
        let kind = cell.get("cell_type").map(|kind| kind.text(self.text)).unwrap_or_default();
        let Some(source) = cell.get("source").or_else(|| cell.get("input")) else { return };
        let source = source.passage(self.text);
        match kind.as_str() {
            "markdown" => self.inner(markdown::read(source.text()), &source),
            "code" => {
                self.push(source, Role::Code(self.language.clone()));
                for output in cell.get("outputs").map_or(&[][..], Node::items) {
                    self.output(output);
                }
            }
            "heading" => {
                let level = cell.get("level").and_then(|level| level.text(self.text).parse().ok()).unwrap_or(1);
                self.push(source, Role::Heading(level));
            }
            _ => self.inner(plain::read(source.text()), &source),
        }
    }

    /// What a code cell printed: of a result in several forms, the one that is nearest to text.
    fn output(&mut self, output: &Node) {
        if let Some(text) = output.get("text") {
            return self.push(text.passage(self.text), Role::Output);
        }
        let Some(data) = output.get("data") else { return };
        if let Some(text) = data.get("text/markdown").or_else(|| data.get("text/latex")) {
            let passage = text.passage(self.text);
            self.inner(markdown::read(passage.text()), &passage);
        } else if let Some(text) = data.get("text/plain") {
            self.push(text.passage(self.text), Role::Output);
        }
    }

    /// Blocks that were read from the text of a cell.
    fn inner(&mut self, blocks: Vec<Block>, cell: &Passage) {
        let first = self.tables;
        for mut block in blocks {
            block.passage = block.passage.through(cell);
            if let Role::Cell { table, .. } = &mut block.role {
                *table += first;
                self.tables = self.tables.max(*table + 1);
            }
            self.blocks.push(block);
        }
    }

    fn push(&mut self, passage: Passage, role: Role) {
        if !passage.is_blank() {
            let printed = role == Role::Output;
            let passage = passage.without_escapes();
            let block = Block { printed, ..Block::new(passage, role) };
            drawn::take_apart(block, &mut self.tables, &mut self.blocks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_outputs_lead_back_to_the_file() {
        let text = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# Drill\n", "\n", "**(a)** $2.6\\,\\mathrm{GB}$"]},
            {"cell_type": "code", "source": "T = 1.24\nprint(T)", "outputs": [
                {"output_type": "stream", "text": ["T = \u001b[31m1.24\u001b[0m ms\n"]},
                {"output_type": "execute_result", "data": {"text/plain": ["5"], "text/html": ["<b>5</b>"]}},
                {"output_type": "error", "ename": "E", "traceback": ["line 7"]}]},
            {"cell_type": "raw", "source": "raw 6 GB"}],
            "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}"##;
        let blocks = read(text);
        let shown: Vec<(&Role, &str)> = blocks.iter().map(|block| (&block.role, block.passage.text().trim())).collect();
        assert_eq!(
            shown,
            [
                (&Role::Heading(1), "Drill"),
                (&Role::Paragraph, "(a) 2.6 GB"),
                (&Role::Code("python".to_owned()), "T = 1.24\nprint(T)"),
                (&Role::Output, "T = 1.24 ms"),
                (&Role::Output, "5"),
                (&Role::Paragraph, "raw 6 GB"),
            ]
        );
        assert_eq!(&text[blocks[1].passage.span(4..10).range()], r"2.6\\,\\mathrm{GB}");
        assert_eq!(&text[blocks[3].passage.span(4..11).range()], r"1.24\u001b[0m ms");
    }

    #[test]
    fn older_notebooks_and_broken_ones() {
        let text = r#"{"worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": ["(a)"]}, {"cell_type": "code", "input": ["x"], "outputs": []}]}], "nbformat": 3}"#;
        let roles: Vec<Role> = read(text).into_iter().map(|block| block.role).collect();
        assert_eq!(roles, [Role::Heading(2), Role::Code(String::new())]);
        assert_eq!(read("{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"5 GB").len(), 1);
        assert_eq!(read("no notebook").len(), 1);
    }
}
