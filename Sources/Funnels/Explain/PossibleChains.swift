import Basics

/// Where one more event could complete a chain, if only the order of required steps, the window and the range of starts mattered.
struct PossibleChains {
    private let required: [Int]
    private let window: UInt64
    private let starts: StartRange
    private let isOrdered: Bool
    /// For each step when its events came.
    private var times: [[Int64]]

    /// - Parameter events: by rising time.
    init(_ events: [StepEvent], _ definition: FunnelDefinition, _ starts: StartRange) {
        required = definition.steps.indices.filter { !definition.steps[$0].isOptional }
        window = UInt64(definition.windowMilliseconds)
        isOrdered = definition.order.numbersSteps
        self.starts = starts
        times = definition.steps.map { _ in [] }
        for event in events { for step in event.steps.bitNumbers { times[step].append(event.time) } }
    }

    /// Whether an event at a time that takes a step may complete a chain.
    func allow(_ step: Int, at time: Int64) -> Bool {
        guard isOrdered else { return isWindowFull(around: time, but: step) }
        return fits(required[..<required.partitionPoint { $0 >= step }], required[required.partitionPoint { $0 > step }...], around: time)
    }

    /// Whether the events allow a chain with a time between two of its steps.
    func reach(over time: Int64) -> Bool {
        guard isOrdered else { return isWindowFull(around: time, but: nil) }
        return required.count < 2 || (1..<required.count).contains { fits(required[..<$0], required[$0...], around: time) }
    }

    /// Whether one window has room for a chain that takes the steps of `before` up to a time, as late as it can, then those of `after`.
    private func fits(_ before: ArraySlice<Int>, _ after: ArraySlice<Int>, around time: Int64) -> Bool {
        var (start, end) = (time, time)
        for step in before.reversed() {
            let latest = step == required.first ? min(start, starts.until.map { $0.subtractingClamped(1) } ?? .max) : start
            let index = times[step].partitionPoint { $0 > latest }
            if index == 0 { return false }
            start = times[step][index - 1]
        }
        for step in after {
            let index = times[step].partitionPoint { $0 >= end }
            if index == times[step].count { return false }
            end = times[step][index]
        }
        return starts.contains(start) && UInt64(bitPattern: end &- start) <= window
    }

    private func isWindowFull(around time: Int64, but step: Int?) -> Bool {
        required.allSatisfy { one in
            if one == step { return true }
            let index = times[one].partitionPoint { $0 >= time || UInt64(bitPattern: time &- $0) <= window }
            return index < times[one].count && (times[one][index] <= time || UInt64(bitPattern: times[one][index] &- time) <= window)
        }
    }
}
