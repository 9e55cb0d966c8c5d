//! Graphs and grids in files of their own.
