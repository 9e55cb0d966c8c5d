//! Components made from registers: one as a position, or many of one kind as a row.

use crate::bytecode::{PlaceSpec, Reg};
use crate::value::fault::Run;
use crate::value::position;
use crate::value::{Row, Value};
use crate::vm::context::Context;
use crate::vm::run::Builder;
use std::sync::Arc;

fn taken(registers: &[Option<Reg>], v: &[Value]) -> Vec<Option<Value>> {
    registers.iter().map(|r| r.map(|r| v[usize::from(r)].clone())).collect()
}

impl Context {
    /// The rule parameters, entered; those of `like` where they are the same.
    pub(super) fn placed_params(&mut self, spec: &PlaceSpec, like: Option<&Row>, v: &[Value]) -> Run<Arc<[Value]>> {
        if let Some(own) = &spec.own {
            return Ok(own.clone());
        }
        let row = like.filter(|row| row.game == spec.game);
        if let Some(row) = row.filter(|_| self.session.program.games[spec.game.0].params.is_empty()) {
            return Ok(row.params.clone());
        }
        let params = self.enter_params(spec.game, spec.params.as_ref().map_or_else(Vec::new, |rs| taken(rs, v)))?;
        Ok(row.filter(|row| row.params == params).map_or(params, |row| row.params.clone()))
    }

    /// The component with these rule parameters as a position.
    pub(super) fn placed(&mut self, spec: &PlaceSpec, params: Arc<[Value]>, v: &[Value]) -> Run<Value> {
        let component = self.place(spec.game, params, taken(&spec.fields, v))?;
        Ok(position::single(component, self.session.program.games[spec.game.0].misere))
    }

    /// Adds a component to what is collected: to a row as long as all are of one kind.
    pub(super) fn place_into(&mut self, spec: &PlaceSpec, builder: &mut Builder, v: &[Value]) -> Run<()> {
        let params = self.placed_params(spec, builder.row.as_ref(), v)?;
        let int = match (spec.int_from, &spec.fields[..]) {
            (Some(least), [Some(field)]) => match &v[usize::from(*field)] {
                Value::Int(n) if *n >= least => Some(*n),
                _ => None,
            },
            _ => None,
        };
        if let Some(n) = int.filter(|_| builder.items.is_empty()) {
            let row = builder.row.get_or_insert_with(|| Row::new(spec.game, params.clone()));
            if row.game == spec.game && Arc::ptr_eq(&row.params, &params) {
                row.ints.push(n);
                return Ok(());
            }
        }
        if let Some(row) = builder.row.take() {
            builder.items = position::spelled(&row);
        }
        let position = self.placed(spec, params, v)?;
        builder.items.push(position);
        Ok(())
    }
}
