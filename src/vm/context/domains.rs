//! Domains of words by their numbers.

use crate::bytecode::DomainId;
use crate::vm::context::{Context, Domain};

impl Context {
    pub(crate) fn domain(&self, id: DomainId) -> &Domain {
        &self.store.domains[usize::from(id.0)]
    }

    /// The number of a domain; `None` when a mask of edges would not fit or there are too many domains.
    pub(crate) fn domain_id(&mut self, domain: &Domain) -> Option<DomainId> {
        if self.session.options.plain {
            return None;
        }
        if let Domain::Edges(graph) = domain
            && (graph.edges.len() > 64 || !graph.edges.are_numbered())
        {
            return None;
        }
        // Most recent first: code asks for the domains of its own instance.
        if let Some(at) = self.store.domains.iter().rposition(|d| d.same(domain)) {
            return u16::try_from(at).ok().map(DomainId);
        }
        let id = u16::try_from(self.store.domains.len()).ok()?;
        self.store.domains.push(domain.clone());
        Some(DomainId(id))
    }

    /// The domain of sets of small naturals, or of pairs of them; `None` where such sets are kept as values.
    pub(crate) fn small_domain(&mut self, domain: &Domain) -> Option<DomainId> {
        if self.code.wide || self.code.unmasked { None } else { self.domain_id(domain) }
    }

    /// Whether this is the domain of small naturals, or of pairs of them.
    pub(crate) fn is_small(&self, id: DomainId) -> bool {
        matches!(self.domain(id), Domain::Numbers | Domain::Pairs)
    }

    /// Whether this is the domain of small naturals.
    pub(crate) fn is_numbers(&self, id: DomainId) -> bool {
        matches!(self.domain(id), Domain::Numbers)
    }

    /// The letters of the file's texts as numbers.
    pub(crate) fn letter_domain(&mut self) -> Option<DomainId> {
        let letters = self.session.letters.clone();
        self.domain_id(&Domain::Letters(letters))
    }
}
