//! A case of any form from JSON: the entries of an object in order, repeated keys included; of all else only what it is.

use crate::cli::cases::Case;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

impl<'de> Deserialize<'de> for Case {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(CaseVisitor)
    }
}

/// How `serde_json` hands on a number of any size: as a map with this key.
const NUMBER_KEY: &str = "$serde_json::private::Number";

struct CaseVisitor;

impl<'de> Visitor<'de> for CaseVisitor {
    type Value = Case;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object that binds the inputs")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Case, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if key == NUMBER_KEY {
                map.next_value::<IgnoredAny>()?;
                return Ok(Case::Other("a number"));
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Case::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Case, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Case::Other("an array"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Case, E> {
        Ok(Case::Other("a truth value"))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Case, E> {
        Ok(Case::Other("a number"))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Case, E> {
        Ok(Case::Other("a number"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Case, E> {
        Ok(Case::Other("a number"))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Case, E> {
        Ok(Case::Other("a text"))
    }

    fn visit_unit<E: Error>(self) -> Result<Case, E> {
        Ok(Case::Other("null"))
    }
}
