public import LoopCore

/// Picks the steps of a log: those of events with certain names, or those that a closure picks.
///
/// ```swift
/// system.attach(.log(LogOptions(except: ["tick", "scrolled"])))
/// system.attach(.log(LogOptions(only: .steps { $0.outcome?.error != nil })))
/// ```
public struct LogFilter<State, Event>: ExpressibleByArrayLiteral {
    /// Makes the test for one system's steps.
    @usableFromInline let makeTest: () -> (Step<State, Event>) -> Bool

    /// The events of these names: of the enum case or the type, or the one that a `NamedEvent` gives itself. No steps without an event.
    public static func events(_ names: Set<String>) -> LogFilter {
        LogFilter(makeTest: {
            // Names are compared once for each kind of event and not at each step.
            var kinds = EventKinds()
            return { step in step.event.map { kinds.number(for: $0) { names.contains($0) ? 1 : 0 } == 1 } ?? false }
        })
    }

    /// The steps for which the closure returns `true`.
    public static func steps(_ isMeant: @escaping (Step<State, Event>) -> Bool) -> LogFilter { LogFilter(makeTest: { isMeant }) }

    private init(makeTest: @escaping () -> (Step<State, Event>) -> Bool) { self.makeTest = makeTest }

    /// The events of these names, so that `only: ["load", "pay"]` reads well.
    public init(arrayLiteral names: String...) { self = .events(Set(names)) }
}

/// Picks the first event of a log and then every n-th.
@usableFromInline
final class EventSampling {
    private let every: Int
    // Unchecked: no user code runs while these are used.
    @exclusivity(unchecked) private var passed = 0
    @exclusivity(unchecked) private var lastNumber: Int?

    @usableFromInline init(every: Int) { self.every = every }

    /// Whether the steps of this number pass: an event's loading and settled steps have one number and pass together.
    @usableFromInline
    func takes(_ number: Int) -> Bool {
        if every <= 1 { return true }
        if number != lastNumber {
            lastNumber = number
            passed += 1
        }
        return (passed - 1) % every == 0
    }
}

extension Middleware {
    /// Drops what `only` and `except` leave out. Of the rest, the first and every n-th pass, and all initial steps and failed effects.
    @inlinable
    func selecting(only: LogFilter<State, Event>?, except: LogFilter<State, Event>?, every: Int) -> Middleware {
        if only == nil && except == nil && every <= 1 { return self }
        return filter(makingTest: {
            let isMeant = only?.makeTest()
            let isExcepted = except?.makeTest()
            let sampling = EventSampling(every: every)
            return { step in
                if let isMeant, !isMeant(step) { return false }
                if let isExcepted, isExcepted(step) { return false }
                return step.phase == .initial || step.phase == .effectFailed || sampling.takes(step.number)
            }
        })
    }
}
