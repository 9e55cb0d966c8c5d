//! Values from JSON and to it.
