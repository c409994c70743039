public import LoopCore

extension Middleware {
    /// Measures each event: how long it waited, how long the reducer, its asynchronous work and the bindings took.
    ///
    /// ```swift
    /// let traces = Traces()
    /// system.attach(.trace(to: traces))
    /// print(traces.table())
    /// ```
    /// Asks for ``/LoopCore/MiddlewareNeeds/timing``. Steps of the phases `.initial` and `.loading` are not counted: the event is measured when it
    /// has settled. Steps without timing, which some callbacks of foreign systems make, are not counted either.
    ///
    /// - Parameters:
    ///   - traces: where the measurements are collected, for one system or for several.
    ///   - name: the name of this system, to tell several in one collection apart.
    @inlinable
    public static func trace(to traces: Traces, name: String? = nil) -> Middleware {
        Middleware(
            needs: .timing,
            makingHandler: {
                let recorder = TraceRecorder(traces, system: name)
                return { step in
                    guard step.phase == .settled, let event = step.event, let timing = step.timing else { return }
                    switch step.outcome {
                    case .finished, nil: recorder.record(event, timing, .finished)
                    case .failed: recorder.record(event, timing, .failed)
                    case .cancelled: recorder.record(event, timing, .cancelled)
                    }
                }
            })
    }
}

/// The way from one attached system into a collection.
@usableFromInline
final class TraceRecorder {
    private let traces: Traces
    private let system: String?
    /// Unchecked: only ``record(_:_:_:)`` touches it, which calls nothing that comes back.
    @exclusivity(unchecked)
    private var kinds = EventKinds()

    @usableFromInline
    init(_ traces: Traces, system: String?) {
        self.traces = traces
        self.system = system
    }

    @usableFromInline
    func record<Event>(_ event: Event, _ timing: StepTiming, _ ending: EventTrace.Ending) {
        let row = kinds.number(for: event) { traces.row(for: $0, system: system) }
        traces.record(timing, ending, row: row)
    }
}
