public import LoopCore

extension Middleware {
    /// Measures each event: its wait, reducer, asynchronous work, bindings and other middleware, and the effects that it started.
    ///
    /// An event is measured when it has settled, with its loading states. Steps without timing, as other libraries may make, do not count.
    ///
    /// - Parameter measurements: collects the times of one system, or of several, which it distinguishes by their names.
    @inlinable
    public static func measure(into measurements: Measurements) -> Middleware {
        Middleware(needs: [.timing, .middlewareTime, .effects]) { loop in
            let recorder = MeasurementRecorder(measurements, system: loop.name)
            return Watcher(
                step: { step in
                    guard let event = step.event, let timing = step.timing else { return }
                    if step.phase == .loading { recorder.keep(timing, of: step.number) }
                    guard step.phase == .settled else { return }
                    recorder.record(event, timing, step.outcome ?? .finished, number: step.number)
                },
                effect: { notice in
                    guard case .effect = notice.source, let outcome = notice.outcome, !outcome.isCancelled else { return }
                    recorder.record(feedbackOf: notice.event, notice.duration)
                })
        }
    }
}

/// Records the events of one attached system in ``Measurements``.
@usableFromInline
final class MeasurementRecorder {
    private let measurements: Measurements
    private let system: String?
    private var kinds = EventKinds()
    /// How long it took to show the loading states of the event with this number. Not used if a filter leaves out its last step.
    private var loading = (number: 0, bindings: UInt64(0), middleware: UInt64(0))

    @usableFromInline
    init(_ measurements: Measurements, system: String?) { (self.measurements, self.system) = (measurements, system) }

    @usableFromInline
    func keep(_ timing: StepTiming, of number: Int) {
        if loading.number != number { loading = (number, 0, 0) }
        loading.bindings &+= timing.bindings
        loading.middleware &+= timing.middleware ?? 0
    }

    @usableFromInline
    func record<Event>(_ event: Event, _ timing: StepTiming, _ outcome: Outcome, number: Int) {
        var timing = timing
        if loading.number == number {
            timing.bindings &+= loading.bindings
            timing.middleware = timing.middleware.map { $0 &+ loading.middleware }
        }
        let row = kinds.number(for: event) { measurements.row(for: $0, system: system) }
        measurements.record(timing, outcome, row: row)
    }

    @usableFromInline
    func record<Event>(feedbackOf event: Event?, _ nanoseconds: UInt64) {
        let row =
            event.map { kinds.number(for: $0) { measurements.row(for: $0, system: system) } }
            ?? measurements.row(for: Measurements.initialState, system: system)
        measurements.record(feedback: nanoseconds, row: row)
    }
}
