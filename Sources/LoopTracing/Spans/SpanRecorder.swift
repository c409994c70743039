import LoopCore

/// Makes spans of the steps and effects of one system, on that system's isolation.
final class SpanRecorder<State, Event> {
    /// Names beyond this many become ``Measurements/otherEvents``: an app with more puts ids into names by mistake.
    private static var maxNames: Int { 1_000 }
    /// The most loading states of one event that get spans.
    private static var maxLoadingStates: Int { 64 }

    private let source: TraceSource
    private let sinks: [any TraceSink]
    private var kinds = EventKinds()
    private var names = [Measurements.otherEvents]
    /// The current event's loading states, and its work.
    private var loading: [StepTiming] = []
    private var work: TraceSpan?
    /// The running effects, by their ids.
    private var open: [Int: TraceSpan] = [:]
    private var lanesInUse: [Bool] = []
    private var spansMade: UInt64 = 0
    /// The event that was seen last, and when it began.
    private var lastSeen = (number: 0, start: UInt64(0))
    private var latest: UInt64 = 0

    init(source: TraceSource, sinks: [any TraceSink]) { (self.source, self.sinks) = (source, sinks) }

    /// Closes open spans at the last observed time, because a released system sends no end notices.
    deinit {
        for var span in open.sorted(by: { $0.key < $1.key }).map(\.value) {
            span.duration = latest > span.start ? latest - span.start : 0
            span.outcome = .cancelled
            for sink in sinks { sink.record([span]) }
        }
    }

    func see(_ step: Step<State, Event>) {
        guard let event = step.event, let timing = step.timing else { return }
        // The last step of the event before does not come if a filter left it out.
        if lastSeen.number != step.number { loading.removeAll(keepingCapacity: true) }
        lastSeen = (step.number, timing.startedAt)
        if step.phase == .loading {
            if loading.count < Self.maxLoadingStates { loading.append(timing) }
        } else {
            record(event, step, timing)
            work = nil
        }
        latest = end(of: timing)
    }

    func see(_ notice: EffectNotice<Event>) {
        latest = notice.beganAt &+ notice.duration
        switch (notice.source, notice.outcome) {
        case (.next, nil): break
        case (.next, let outcome?):
            work = span(
                .phase(.effect), "effect", event: notice.event.map(name(of:)), notice.number, notice.beganAt, notice.duration,
                outcome: outcome)
        case (.effect(let effect), nil):
            var span = span(.feedback, effect, event: notice.event.map(name(of:)), notice.number, notice.beganAt, 0)
            span.lane = freeLane()
            open[notice.id] = span
        case (.effect, let outcome?):
            // An effect from before the attaching has no lane, so its span could overlap others.
            guard var span = open.removeValue(forKey: notice.id) else { return }
            lanesInUse[span.lane - 1] = false
            span.duration = notice.duration
            span.outcome = outcome
            for sink in sinks { sink.record([span]) }
        }
    }

    private func record(_ event: Event, _ step: Step<State, Event>, _ timing: StepTiming) {
        let name = name(of: event)
        var spans: [TraceSpan] = []
        spans.reserveCapacity(5)
        spans.append(
            TraceSpan(
                source: source, id: Self.id(ofEvent: step.number), kind: .event, name: name, event: name, number: step.number,
                start: timing.startedAt, duration: end(of: timing) &- timing.startedAt, queueWait: timing.queueWait, origin: step.origin,
                outcome: step.outcome ?? .finished))
        func add(_ phase: TracePhase, _ start: UInt64, _ duration: UInt64) {
            if duration > 0 { spans.append(span(.phase(phase), phase.text, event: name, step.number, start, duration)) }
        }
        add(.reduce, timing.startedAt, timing.reduce)
        // Work whose step a filter left out belongs to no recorded event.
        if let work, work.number == step.number { spans.append(work) }
        for shown in loading + [timing] {
            add(.bindings, shown.shownAt, shown.bindings)
            add(.middleware, shown.shownAt &+ shown.bindings, shown.middleware ?? 0)
        }
        // Loading states are shown before the work or, if it has stages, within it.
        if !loading.isEmpty { spans[1...].sort { ($0.start, $1.duration) < ($1.start, $0.duration) } }
        for sink in sinks { sink.record(spans) }
    }

    private func end(of timing: StepTiming) -> UInt64 { timing.shownAt &+ timing.bindings &+ (timing.middleware ?? 0) }

    /// Events have odd ids made of their numbers, so that an effect can name its parent at any time later.
    private static func id(ofEvent number: Int) -> UInt64 { UInt64(number) << 1 | 1 }

    private func span(
        _ kind: TraceSpan.Kind, _ name: String, event: String?, _ number: Int, _ start: UInt64, _ duration: UInt64,
        outcome: Outcome = .finished
    ) -> TraceSpan {
        spansMade += 1
        return TraceSpan(
            source: source, id: spansMade << 1, parent: number == 0 ? nil : Self.id(ofEvent: number),
            parentStart: number != 0 && number == lastSeen.number ? lastSeen.start : nil, kind: kind, name: name, event: event,
            number: number, start: start, duration: duration, outcome: outcome)
    }

    private func name(of event: Event) -> String {
        let number = kinds.number(for: event) { name in
            guard names.count <= Self.maxNames else { return 0 }
            names.append(name)
            return names.count - 1
        }
        return names[number]
    }

    private func freeLane() -> Int {
        let lane = lanesInUse.firstIndex(of: false) ?? lanesInUse.count
        if lane == lanesInUse.count { lanesInUse.append(true) } else { lanesInUse[lane] = true }
        return lane + 1
    }
}
