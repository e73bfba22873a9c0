//! A Go channel with a buffer and one sender, as a state machine.

use std::collections::VecDeque;

/// What became of a send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The item is in the buffer.
    Buffered,
    /// The buffer is full: the sender holds the item and sleeps until somebody receives.
    Blocked,
}

/// What a receive gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received<T> {
    /// The oldest item.
    pub item: T,
    /// The item of a blocked sender, which took the free place: the sender may go on.
    pub unblocked: Option<T>,
}

/// The channel.
#[derive(Clone, Debug)]
pub struct Channel<T> {
    capacity: usize,
    buffer: VecDeque<T>,
    blocked: Option<T>,
}

impl<T: Copy> Channel<T> {
    /// An empty channel.
    ///
    /// # Panics
    /// If `capacity` is 0: the model has no unbuffered channels.
    pub fn new(capacity: usize) -> Channel<T> {
        assert!(capacity > 0, "an unbuffered channel");
        Channel { capacity, buffer: VecDeque::new(), blocked: None }
    }

    /// Sends an item; the sender must not be blocked already.
    pub fn send(&mut self, item: T) -> Sent {
        assert!(self.blocked.is_none(), "a blocked sender sends");
        if self.buffer.len() < self.capacity {
            self.buffer.push_back(item);
            return Sent::Buffered;
        }
        self.blocked = Some(item);
        Sent::Blocked
    }

    /// Receives the oldest item. Go's runtime moves the item of a blocked sender into the buffer
    /// in the same breath.
    pub fn receive(&mut self) -> Option<Received<T>> {
        let item = self.buffer.pop_front()?;
        let unblocked = self.blocked.take();
        self.buffer.extend(unblocked);
        debug_assert!(self.buffer.len() <= self.capacity, "a channel over its capacity");
        Some(Received { item, unblocked })
    }

    /// Whether a receiver would find nothing.
    pub fn is_empty(&self) -> bool {
        debug_assert!(!self.buffer.is_empty() || self.blocked.is_none(), "blocked on room");
        self.buffer.is_empty()
    }

    /// The oldest item.
    pub fn first(&self) -> Option<T> {
        self.buffer.front().copied()
    }

    /// The buffer, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.buffer.iter().copied()
    }

    /// The item of a blocked sender.
    pub fn blocked(&self) -> Option<T> {
        self.blocked
    }

    /// Items in the buffer.
    pub fn len(&self) -> usize {
        self.buffer.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_channel_blocks_its_sender_until_somebody_receives() {
        let mut channel = Channel::new(2);
        assert_eq!(channel.send(1), Sent::Buffered);
        assert_eq!(channel.send(2), Sent::Buffered);
        assert_eq!(channel.send(3), Sent::Blocked);
        assert_eq!(channel.receive(), Some(Received { item: 1, unblocked: Some(3) }));
        assert_eq!(channel.len(), 2);
        assert_eq!(channel.receive(), Some(Received { item: 2, unblocked: None }));
        assert_eq!(channel.receive(), Some(Received { item: 3, unblocked: None }));
        assert_eq!(channel.receive(), None);
    }
}
