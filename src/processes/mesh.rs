//! Processes that are connected each with each, and what goes from one to another: timely dataflow, of which nothing else knows.
//!
//! Source: Murray and others, Naiad: a timely dataflow system, 2013. The dataflow is an input, an exchange by receiver and a
//! place where parcels come out. A parcel has an epoch; when the frontier has passed an epoch, all of its parcels have
//! arrived everywhere: that is how processes wait for each other. The dataflow has a thread of its own, which sleeps
//! while nothing comes; it is told what is to be sent, and tells what came. Nothing in it holds back whoever sends
//! faster than others take: so a receiver says how much it has taken, and a sender waits when too much is on its way.
//!
//! In: sockets that are connected. Nothing is authenticated, and what comes is believed. When a process is gone the library
//! panics in those that are left, see [`crate::processes::crew`].

use crate::source::Code;
use crate::value::{Fault, width};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::Thread;
use std::time::Duration;
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards};
use timely::dataflow::InputHandleVec;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Input, Operator};
use timely::execute::execute_from;
use timely::worker::Worker;

/// What goes to another process.
#[derive(Clone, Serialize, Deserialize)]
struct Parcel {
    to: u32,
    from: u32,
    what: What,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum What {
    Goods,
    /// The report of an epoch.
    Report,
    /// So many bytes of goods of this epoch were taken.
    Taken(u64, u64),
}

enum Order {
    Send(Parcel),
    /// Nothing of earlier epochs is sent any more.
    Advance(u64),
}

enum Event {
    Came(u64, Parcel),
    /// All of an epoch has come.
    Whole,
}

/// One of several processes that work together, as it sees the others.
pub struct Mesh {
    index: usize,
    count: usize,
    epoch: u64,
    orders: Option<Sender<Order>>,
    events: Receiver<Event>,
    /// What came and was not taken yet.
    came: VecDeque<(u64, Parcel)>,
    /// For each process: bytes of goods that are on their way to it, and bytes from it that it does not know to be taken.
    under_way: Vec<[u64; 2]>,
    net: Option<(Thread, WorkerGuards<()>)>,
}

impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.index, self.count)
    }
}

fn gone() -> Fault {
    Fault::new(Code::L02, "another process is gone")
}

impl Mesh {
    /// Begins to work with the processes at the other ends of these sockets. `sockets`: by their numbers; `None`: this one. Error:
    /// L02, threads cannot be had.
    pub fn new(sockets: Vec<Option<TcpStream>>) -> Result<Mesh, Fault> {
        let (count, index) = (sockets.len(), sockets.iter().position(Option::is_none).unwrap_or(0));
        let failed = |why: String| Fault::new(Code::L02, format!("processes cannot be connected: {why}"));
        // Reports are small and waited for. Where that cannot be set they come later.
        sockets.iter().flatten().for_each(|socket| _ = socket.set_nodelay(true));
        let hooks = Hooks::default();
        let own = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) = initialize_networking_from_sockets(own, sockets, index, 1, hooks)
            .map_err(|error| failed(error.to_string()))?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let ((orders, ordered), (told, events), (known, thread)) = (channel(), channel(), channel());
        let ends = Mutex::new(Some((ordered, told)));
        let run = move |worker: &mut Worker| {
            // Nobody looks for the thread any more when this fails.
            let _ = known.send(std::thread::current());
            if let Some((ordered, told)) = ends.lock().take() {
                carry(worker, &ordered, told);
            }
        };
        // No spinning: the processor is for the tables.
        let config = WorkerConfig::default().idle_spin(Duration::ZERO);
        let guards = execute_from(builders, Box::new(guard), config, run).map_err(failed)?;
        let net = Some((thread.recv().map_err(|_| gone())?, guards));
        Ok(Mesh {
            index,
            count,
            epoch: 0,
            orders: Some(orders),
            events,
            came: VecDeque::new(),
            under_way: vec![[0; 2]; count],
            net,
        })
    }

    /// The number of this process.
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    fn order(&self, order: Order) -> Result<(), Fault> {
        let (Some(orders), Some((thread, _))) = (&self.orders, &self.net) else { return Err(gone()) };
        orders.send(order).map_err(|_| gone())?;
        thread.unpark();
        Ok(())
    }

    fn send_parcel(&self, to: usize, what: What, bytes: Vec<u8>) -> Result<(), Fault> {
        self.order(Order::Send(Parcel { to: width::short(to), from: width::short(self.index), what, bytes }))
    }

    /// Sends bytes to a process. Error: L02, a process is gone.
    pub fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), Fault> {
        self.under_way[to][0] += bytes.len() as u64;
        self.send_parcel(to, What::Goods, bytes)
    }

    /// Whether so much is on its way to a process that nothing is to be sent before it has taken some; what has come is to be
    /// taken meanwhile.
    pub fn is_full(&self, to: usize) -> bool {
        /// Bytes on the way to one process.
        const MOST: u64 = 1 << 22;
        self.under_way[to][0] > MOST
    }

    /// Notes what has come; whether an epoch is whole.
    fn note(&mut self, event: Event) -> bool {
        match event {
            Event::Whole => return true,
            Event::Came(_, Parcel { from, what: What::Taken(epoch, bytes), .. }) => {
                // Of epochs before nothing is under way.
                if let Some([sent, _]) = self.under_way.get_mut(width::index(from)).filter(|_| epoch == self.epoch) {
                    *sent = sent.saturating_sub(bytes);
                }
            }
            Event::Came(epoch, parcel) => self.came.push_back((epoch, parcel)),
        }
        false
    }

    /// Goods of this epoch that have come, if there are any.
    fn take(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        /// A receiver tells what it has taken when it is so many bytes.
        const TOLD: u64 = 1 << 19;
        let is_next = |(epoch, parcel): &(u64, Parcel)| *epoch == self.epoch && parcel.what == What::Goods;
        let at = self.came.iter().position(is_next);
        let Some((_, parcel)) = at.and_then(|at| self.came.remove(at)) else { return Ok(None) };
        let from = width::index(parcel.from);
        if let Some([_, taken]) = self.under_way.get_mut(from) {
            *taken += parcel.bytes.len() as u64;
            if *taken > TOLD {
                let taken = std::mem::take(taken);
                self.send_parcel(from, What::Taken(self.epoch, taken), Vec::new())?;
            }
        }
        Ok(Some(parcel.bytes))
    }

    /// What has come from other processes meanwhile, if something has. Error: L02, a process is gone.
    pub fn poll(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        while let Ok(event) = self.events.try_recv() {
            self.note(event);
        }
        self.take()
    }

    /// Waits until something comes. Error: L02, a process is gone.
    pub fn wait(&mut self) -> Result<(), Fault> {
        let event = self.events.recv().map_err(|_| gone())?;
        self.note(event);
        Ok(())
    }

    /// Tells all processes a report and waits until all have told theirs; `take`: what else has come until then. The reports, by
    /// the numbers of the processes. Error: L02, a process is gone.
    pub fn meet(&mut self, report: Vec<u8>, mut take: impl FnMut(Vec<u8>)) -> Result<Vec<Vec<u8>>, Fault> {
        for to in (0..self.count).filter(|&to| to != self.index) {
            self.send_parcel(to, What::Report, report.clone())?;
        }
        while let Some(bytes) = self.poll()? {
            take(bytes);
        }
        self.order(Order::Advance(self.epoch + 1))?;
        loop {
            let event = self.events.recv().map_err(|_| gone())?;
            if self.note(event) {
                break;
            }
            while let Some(bytes) = self.take()? {
                take(bytes);
            }
        }
        let mut reports = vec![Vec::new(); self.count];
        reports[self.index] = report;
        let (epoch, came) = (self.epoch, std::mem::take(&mut self.came));
        for (of, parcel) in came {
            match reports.get_mut(width::index(parcel.from)) {
                Some(place) if of == epoch => *place = parcel.bytes,
                _ => self.came.push_back((of, parcel)),
            }
        }
        self.under_way.fill([0; 2]);
        self.epoch += 1;
        Ok(reports)
    }
}

impl Mesh {
    /// Ends the connection, when the others do, too.
    pub fn close(&mut self) {
        self.orders = None;
        if let Some((thread, guards)) = self.net.take() {
            thread.unpark();
            drop(guards);
        }
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        self.close();
    }
}

/// Runs the dataflow until there are no orders any more. Its times are epochs with 32 bits behind them: what was sent goes off when
/// time goes on.
fn carry(worker: &mut Worker, ordered: &Receiver<Order>, told: Sender<Event>) {
    const EPOCH: u32 = 32;
    let mut whole = 0;
    let mut input: InputHandleVec<u64, Parcel> = worker.dataflow::<u64, _, _>(|scope| {
        let (input, parcels) = scope.new_input::<Vec<Parcel>>();
        parcels.sink(Exchange::new(|parcel: &Parcel| parcel.to.into()), "parcels", move |(input, frontier)| {
            // Whoever does not listen any more wants nothing.
            input.for_each(|time, parcels| {
                let Some(&time) = time.least() else { return };
                for parcel in parcels.drain(..) {
                    let _ = told.send(Event::Came(time >> EPOCH, parcel));
                }
            });
            while frontier.frontier().first().is_some_and(|&open| whole < open >> EPOCH) {
                let _ = told.send(Event::Whole);
                whole += 1;
            }
        });
        input
    });
    let mut fresh = false;
    loop {
        match ordered.try_recv() {
            Ok(Order::Send(parcel)) => {
                input.send(parcel);
                fresh = true;
            }
            Ok(Order::Advance(epoch)) => {
                input.advance_to(epoch << EPOCH);
                (fresh, _) = (false, worker.step());
            }
            Err(TryRecvError::Empty) => {
                if std::mem::take(&mut fresh) {
                    input.advance_to(*input.time() + 1);
                    worker.step();
                }
                worker.step_or_park(None);
            }
            Err(TryRecvError::Disconnected) => return,
        }
    }
}
