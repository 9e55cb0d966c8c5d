//! Items as a slice of values, and from values.

use crate::value::Value;
use crate::value::items::Items;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

impl Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.values()
    }
}

impl AsRef<[Value]> for Items {
    fn as_ref(&self) -> &[Value] {
        self
    }
}

impl From<Vec<Value>> for Items {
    fn from(values: Vec<Value>) -> Items {
        Items::Values(values.into())
    }
}

impl From<Arc<[Value]>> for Items {
    fn from(values: Arc<[Value]>) -> Items {
        Items::Values(values)
    }
}

impl From<&[Value]> for Items {
    fn from(values: &[Value]) -> Items {
        Items::Values(values.into())
    }
}

impl FromIterator<Value> for Items {
    fn from_iter<T: IntoIterator<Item = Value>>(values: T) -> Items {
        Items::Values(values.into_iter().collect())
    }
}

impl fmt::Debug for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
