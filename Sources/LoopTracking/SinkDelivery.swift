import LoopCore
import TrackingEvents

/// Hands events, consent and erasure to the sinks, to each in the order in which the tracker numbered them. Usually it does so at once,
/// under the tracker's lock, by calls that never wait. When a sink has no room (`TrackingSink.offer` returns `false`), the event goes to
/// ``waiting``, and so does everything after it. The thread that put it there brings it to the sink with the lock free
/// (``Tracker/deliverWaiting()``), where `TrackingSink.record` may wait. Other threads that track meanwhile queue behind it.
struct SinkDelivery {
    enum Item {
        case event(StampedEvent)
        case consent(TrackingConsent)
        /// The continuation gets each sink's error, or `nil` where the erasure is done.
        case erasure(AsyncStream<(any Error)?>.Continuation)

        func deliver(to sink: any TrackingSink) {
            switch self {
            case .event(let event): sink.record(event)
            case .consent(let consent): sink.setConsent(consent)
            case .erasure(let done): sink.erase { done.yield($0) }
            }
        }
    }

    let sinks: [any TrackingSink]
    private var waiting = EventQueue<(item: Item, sink: any TrackingSink)>()

    init(to sinks: [any TrackingSink]) { self.sinks = sinks }

    /// How many deliveries wait. The thread that adds some brings them to the sinks.
    var count: Int { waiting.count }

    /// The next delivery. It stays first until ``removeFirst()``, so that nothing overtakes it.
    var first: (item: Item, sink: any TrackingSink)? { waiting.first }

    mutating func removeFirst() { _ = waiting.popFirst() }

    /// Borrowed, like everything on an event's way to the sinks: a copy would retain six references and release them again.
    mutating func hand(_ event: borrowing StampedEvent) { for index in sinks.indices { hand(event, toSinkAt: index) } }

    mutating func hand(_ event: borrowing StampedEvent, toSinkAt index: Int) {
        if waiting.isEmpty, sinks[index].offer(event) { return }
        waiting.append((.event(copy event), sinks[index]))
    }

    mutating func handToAll(_ item: Item) {
        for sink in sinks { if waiting.isEmpty { item.deliver(to: sink) } else { waiting.append((item, sink)) } }
    }
}
