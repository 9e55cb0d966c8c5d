//! States of long runs as files.
