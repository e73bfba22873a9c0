//! Columns like kubectl's: upper-case headers, three spaces between, the last one ragged.
//!
//! The first thousand rows decide the widths; then rows go out as they come, so that a run of a
//! million pods is not held.

use std::io::Write as _;

use anstyle::Style;

use super::text::{printable, push_printable, width};

const ROWS_HELD: usize = 1_000;
const GAP: usize = 3;

/// One row, with the style of one of its cells.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    /// Style of the cell at [`Columns::styled_column`].
    pub(super) style: Style,
}

/// Lays out rows.
#[derive(Debug)]
pub(super) struct Columns {
    headers: Vec<String>,
    held: Vec<Row>,
    /// Set once the widths are known.
    widths: Option<Vec<usize>>,
    styled: bool,
    styled_column: usize,
}

impl Columns {
    /// Columns with these headers; `styled` paints, `styled_column` says which cell.
    pub(super) fn new(headers: &[impl AsRef<str>], styled: bool, styled_column: usize) -> Columns {
        Columns {
            headers: headers.iter().map(|header| printable(header.as_ref())).collect(),
            held: Vec::new(),
            widths: None,
            styled,
            styled_column,
        }
    }

    /// Takes a row; its cells may hold anything, and come out printable.
    pub(super) fn push(&mut self, row: Row, out: &mut Vec<u8>) {
        debug_assert_eq!(row.cells.len(), self.headers.len(), "{row:?}");
        match &self.widths {
            Some(widths) => self.write(&row, widths, out),
            None => {
                self.held.push(printed(row));
                if self.held.len() == ROWS_HELD {
                    self.release(out);
                }
            }
        }
    }

    /// Writes what is held; without any row nothing, not even headers.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if self.widths.is_none() && !self.held.is_empty() {
            self.release(out);
        }
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        let mut widths: Vec<usize> = self.headers.iter().map(|header| width(header)).collect();
        for row in &self.held {
            for (known, cell) in widths.iter_mut().zip(&row.cells) {
                *known = width(cell).max(*known);
            }
        }
        let headers = Row { cells: self.headers.clone(), style: Style::new() };
        self.write(&headers, &widths, out);
        for row in std::mem::take(&mut self.held) {
            self.write(&row, &widths, out);
        }
        self.widths = Some(widths);
    }

    fn write(&self, row: &Row, widths: &[usize], out: &mut Vec<u8>) {
        let mut cell_text = String::new();
        let last = row.cells.iter().rposition(|cell| !cell.is_empty()).unwrap_or(0);
        for (index, cell) in row.cells.iter().enumerate().take(last + 1) {
            cell_text.clear();
            push_printable(&mut cell_text, cell);
            let style = if index == self.styled_column { row.style } else { Style::new() };
            let paint = self.styled && style != Style::new();
            if paint {
                // Writing to a Vec does not fail.
                let _ = write!(out, "{style}");
            }
            out.extend_from_slice(cell_text.as_bytes());
            if paint {
                let _ = write!(out, "{style:#}");
            }
            if index < last {
                let pad = widths[index].saturating_sub(width(&cell_text)) + GAP;
                out.resize(out.len() + pad, b' ');
            }
        }
        out.push(b'\n');
    }
}

fn printed(mut row: Row) -> Row {
    for cell in &mut row.cells {
        if cell.chars().any(char::is_control) {
            *cell = printable(cell);
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Row {
        Row { cells: cells.iter().map(|c| (*c).to_owned()).collect(), style: Style::new() }
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut columns = Columns::new(&["TIME", "WHAT"], false, 1);
        let mut out = Vec::new();
        columns.push(row(&["1m10.5s", "a"]), &mut out);
        columns.push(row(&["0s", "\u{1b}b"]), &mut out);
        columns.push(row(&["0s", ""]), &mut out);
        columns.finish(&mut out);
        let expected = "TIME      WHAT\n1m10.5s   a\n0s        \\u{1b}b\n0s\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn rows_past_the_held_ones_stream() {
        let mut columns = Columns::new(&["A", "B"], false, 1);
        let mut out = Vec::new();
        for _ in 1..ROWS_HELD {
            columns.push(row(&["x", "y"]), &mut out);
        }
        assert!(out.is_empty());
        columns.push(row(&["x", "y"]), &mut out);
        let released = out.len();
        assert!(released > 0);
        columns.push(row(&["wider", "y"]), &mut out);
        assert!(out[released..].starts_with(b"wider   y\n"));
        columns.finish(&mut out);
        assert!(out.ends_with(b"wider   y\n"));
    }
}
