public import LoopCore

extension Middleware {
    /// Measures each event: how long it waited, how long the reducer, its asynchronous work, the bindings and other middleware took,
    /// and how long the effects of feedbacks ran that it started.
    ///
    /// ```swift
    /// let traces = Traces()
    /// system.attach(.trace(to: traces))
    /// print(traces.table())
    /// ```
    /// The event is measured when it has settled, its loading states included. Steps without timing, which some callbacks of foreign
    /// systems make, are not counted.
    ///
    /// - Parameters:
    ///   - traces: where the measurements are collected, for one system or for several.
    ///   - name: the name of this system, to tell several in one collection apart.
    @inlinable
    public static func trace(to traces: Traces, name: String? = nil) -> Middleware {
        Middleware(
            needs: [.timing, .middlewareTime, .effects],
            makingWatcher: {
                let recorder = TraceRecorder(traces, system: name)
                return Watcher(
                    step: { step in
                        guard let event = step.event, let timing = step.timing else { return }
                        if step.phase == .loading { recorder.keep(timing) }
                        guard step.phase == .settled else { return }
                        switch step.outcome {
                        case .finished, nil: recorder.record(event, timing, .finished)
                        case .failed: recorder.record(event, timing, .failed)
                        case .cancelled: recorder.record(event, timing, .cancelled)
                        }
                    },
                    effect: { notice in
                        guard case .feedback = notice.source, let end = notice.end else { return }
                        if case .cancelled = end.outcome { return }
                        recorder.record(feedbackOf: notice.event, end.duration)
                    })
            })
    }
}

/// The way from one attached system into a collection.
@usableFromInline
final class TraceRecorder {
    private let traces: Traces
    private let system: String?
    /// Unchecked: only the functions below touch it, which call nothing that comes back.
    @exclusivity(unchecked)
    private var kinds = EventKinds()
    /// What showing the loading states of the event under way took.
    private var loading = (bindings: UInt64(0), middleware: UInt64(0))

    @usableFromInline
    init(_ traces: Traces, system: String?) {
        self.traces = traces
        self.system = system
    }

    @usableFromInline
    func keep(_ timing: StepTiming) {
        loading.bindings &+= timing.bindings
        loading.middleware &+= timing.middleware ?? 0
    }

    @usableFromInline
    func record<Event>(_ event: Event, _ timing: StepTiming, _ ending: EventTrace.Ending) {
        var timing = timing
        timing.bindings &+= loading.bindings
        timing.middleware = timing.middleware.map { $0 &+ loading.middleware }
        loading = (0, 0)
        let row = kinds.number(for: event) { traces.row(for: $0, system: system) }
        traces.record(timing, ending, row: row)
    }

    @usableFromInline
    func record<Event>(feedbackOf event: Event?, _ nanoseconds: UInt64) {
        let row =
            event.map { kinds.number(for: $0) { traces.row(for: $0, system: system) } }
            ?? traces.row(for: Traces.initialState, system: system)
        traces.record(feedback: nanoseconds, row: row)
    }
}
