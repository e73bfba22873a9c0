//! The event queue alone: `hold` (N pending; pop the earliest, push one 0–600 s later) and `churn`
//! (push N timers, cancel half, fire the rest). One element is one event popped or pushed pair.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use taintsim::kernel::{EventQueue, Handle, Stream, Time};

const SPAN: u64 = 600_000_000_000;

fn filled(pending: usize, stream: &mut Stream) -> EventQueue<u64> {
    let mut queue = EventQueue::new();
    for event in 0..pending as u64 {
        queue.push(Time(stream.below(SPAN)), 4, 0, event);
    }
    queue
}

fn hold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hold");
    for pending in [1_000, 100_000, 1_000_000] {
        let mut stream = Stream::new(1, "hold");
        let mut queue = filled(pending, &mut stream);
        // Delays drawn before: the stream is not what is measured.
        let delays: Vec<u64> = (0..1 << 16).map(|_| stream.below(SPAN)).collect();
        let mut next = 0;
        // Once through everything pending, so that buckets are as in a long run.
        let mut turn = |queue: &mut EventQueue<u64>, times: usize| {
            for _ in 0..times {
                let Some((now, event)) = queue.pop() else { return };
                next = (next + 1) % delays.len();
                queue.push(Time(now.0 + delays[next]), 4, 0, event);
            }
        };
        turn(&mut queue, pending * 2);
        const BATCH: usize = 100_000;
        group.throughput(Throughput::Elements(BATCH as u64));
        group.sample_size(20);
        group.bench_function(BenchmarkId::from_parameter(pending), |bencher| {
            bencher.iter(|| turn(&mut queue, BATCH));
        });
    }
    group.finish();
}

/// The same on the standard library's heap, for the ratio: these machines are noisy.
fn hold_std_heap(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hold-std-heap");
    for pending in [1_000, 100_000, 1_000_000] {
        let mut stream = Stream::new(1, "hold");
        let mut sequence = 0;
        let mut heap = BinaryHeap::new();
        for _ in 0..pending {
            sequence += 1;
            heap.push(Reverse((stream.below(SPAN), sequence, sequence)));
        }
        let delays: Vec<u64> = (0..1 << 16).map(|_| stream.below(SPAN)).collect();
        const BATCH: usize = 100_000;
        group.throughput(Throughput::Elements(BATCH as u64));
        group.sample_size(20);
        group.bench_function(BenchmarkId::from_parameter(pending), |bencher| {
            bencher.iter(|| {
                for _ in 0..BATCH {
                    let Some(Reverse((now, _, event))) = heap.pop() else { return };
                    sequence += 1;
                    let delay = delays[(sequence & 0xffff) as usize];
                    heap.push(Reverse((now + delay, sequence, event)));
                }
            });
        });
    }
    group.finish();
}

fn churn(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("churn");
    for timers in [100_000, 1_000_000] {
        let mut stream = Stream::new(2, "churn");
        let times: Vec<u64> = (0..timers).map(|_| stream.below(SPAN)).collect();
        group.throughput(Throughput::Elements(timers as u64));
        group.sample_size(10);
        group.bench_function(BenchmarkId::from_parameter(timers), |bencher| {
            let mut queue: EventQueue<u64> = EventQueue::new();
            bencher.iter_batched(
                || (),
                |()| {
                    queue.reset();
                    let handles: Vec<Handle> = times
                        .iter()
                        .map(|&time| queue.push_cancellable(Time(time), 4, 0, time))
                        .collect();
                    for handle in handles.iter().step_by(2) {
                        queue.cancel(*handle);
                    }
                    while queue.pop().is_some() {}
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, hold, hold_std_heap, churn);
criterion_main!(benches);
