//! Proofs of periods as files.
