//! Many short lists that grow and go, in one vector.

/// No entry of a list.
pub(super) const NONE: u32 = u32::MAX;

/// Lists of many owners in one vector.
#[derive(Default)]
pub(super) struct Lists<T> {
    pub(super) items: Vec<(T, u32)>,
    free: Vec<u32>,
}

impl<T: Copy> Lists<T> {
    pub(super) fn push(&mut self, head: &mut u32, item: T) {
        let at = self.free.pop().unwrap_or(u32::try_from(self.items.len()).unwrap_or(NONE));
        if at as usize == self.items.len() {
            self.items.push((item, *head));
        } else {
            self.items[at as usize] = (item, *head);
        }
        *head = at;
    }

    pub(super) fn pop(&mut self, head: &mut u32) -> Option<T> {
        if *head == NONE {
            return None;
        }
        let (item, next) = self.items[*head as usize];
        self.free.push(*head);
        *head = next;
        Some(item)
    }

    pub(super) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<(T, u32)>() + self.free.capacity() * 4
    }
}
