//! Processes that are connected each with each, and what goes from one to another: timely dataflow, of which nothing else knows.
//!
//! Source: Murray and others, Naiad: a timely dataflow system, 2013. The dataflow is an input, an exchange by receiver and a
//! place where parcels come out. A parcel has an epoch; when the frontier has passed an epoch, all of its parcels have
//! arrived everywhere: that is how processes wait for each other. The dataflow has a thread of its own, which sleeps
//! while nothing comes; it is told what is to be sent, and tells what came.
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
    /// It is the report of an epoch.
    report: bool,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
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
    /// What came too early.
    early: VecDeque<(u64, Parcel)>,
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
        Ok(Mesh { index, count, epoch: 0, orders: Some(orders), events, early: VecDeque::new(), net })
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

    fn send_parcel(&self, to: usize, report: bool, bytes: Vec<u8>) -> Result<(), Fault> {
        self.order(Order::Send(Parcel { to: width::short(to), from: width::short(self.index), report, bytes }))
    }

    /// Sends bytes to a process. Error: L02, a process is gone.
    pub fn send(&self, to: usize, bytes: Vec<u8>) -> Result<(), Fault> {
        self.send_parcel(to, false, bytes)
    }

    /// What has come from other processes meanwhile, if something has.
    pub fn poll(&mut self) -> Option<Vec<u8>> {
        let early = self.early.iter().position(|(epoch, parcel)| *epoch == self.epoch && !parcel.report);
        if let Some((_, parcel)) = early.and_then(|at| self.early.remove(at)) {
            return Some(parcel.bytes);
        }
        while let Ok(event) = self.events.try_recv() {
            match event {
                Event::Came(epoch, parcel) if epoch == self.epoch && !parcel.report => return Some(parcel.bytes),
                Event::Came(epoch, parcel) => self.early.push_back((epoch, parcel)),
                // Only whoever has sent its report gets there.
                Event::Whole => {}
            }
        }
        None
    }

    /// Tells all processes a report and waits until all have told theirs; `take`: what else has come until then. The reports, by
    /// the numbers of the processes. Error: L02, a process is gone.
    pub fn meet(&mut self, report: Vec<u8>, mut take: impl FnMut(Vec<u8>)) -> Result<Vec<Vec<u8>>, Fault> {
        for to in (0..self.count).filter(|&to| to != self.index) {
            self.send_parcel(to, true, report.clone())?;
        }
        while let Some(bytes) = self.poll() {
            take(bytes);
        }
        // From here on it is told that all has come.
        self.order(Order::Advance(self.epoch + 1))?;
        loop {
            match self.events.recv().map_err(|_| gone())? {
                Event::Came(epoch, parcel) if epoch == self.epoch && !parcel.report => take(parcel.bytes),
                Event::Came(epoch, parcel) => self.early.push_back((epoch, parcel)),
                Event::Whole => break,
            }
        }
        let mut reports = vec![Vec::new(); self.count];
        reports[self.index] = report;
        let (epoch, early) = (self.epoch, std::mem::take(&mut self.early));
        for (of, parcel) in early {
            match reports.get_mut(width::index(parcel.from)) {
                Some(place) if of == epoch => *place = parcel.bytes,
                _ => self.early.push_back((of, parcel)),
            }
        }
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

/// Runs the dataflow until there are no orders any more.
fn carry(worker: &mut Worker, ordered: &Receiver<Order>, told: Sender<Event>) {
    let mut whole = 0;
    let mut input: InputHandleVec<u64, Parcel> = worker.dataflow::<u64, _, _>(|scope| {
        let (input, parcels) = scope.new_input::<Vec<Parcel>>();
        parcels.sink(Exchange::new(|parcel: &Parcel| parcel.to.into()), "parcels", move |(input, frontier)| {
            // Whoever does not listen any more wants nothing.
            input.for_each(|time, parcels| {
                let Some(&epoch) = time.least() else { return };
                for parcel in parcels.drain(..) {
                    let _ = told.send(Event::Came(epoch, parcel));
                }
            });
            while frontier.frontier().first().is_some_and(|&open| whole < open) {
                let _ = told.send(Event::Whole);
                whole += 1;
            }
        });
        input
    });
    loop {
        match ordered.try_recv() {
            Ok(Order::Send(parcel)) => input.send(parcel),
            Ok(Order::Advance(epoch)) => {
                input.advance_to(epoch);
                worker.step();
            }
            Err(TryRecvError::Empty) => {
                input.flush();
                worker.step_or_park(None);
            }
            Err(TryRecvError::Disconnected) => return,
        }
    }
}
