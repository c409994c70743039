import LoopCore

/// Optionals, with the plan of what they wrap.
final class OptionalLayout<Wrapped>: TypedLayout<Wrapped?> {
    private let plan: ValueLayout

    init(_ plan: ValueLayout) { self.plan = plan }

    override var isReflected: Bool { false }
    override var comparableBytes: Int { plan.comparableBytes > 0 ? MemoryLayout<Wrapped?>.size : 0 }

    private func isNil(_ value: UnsafeRawPointer) -> Bool {
        if case .none = value.assumingMemoryBound(to: Wrapped?.self).pointee { true } else { false }
    }

    override func write(_ value: UnsafeRawPointer, to writer: inout ValueWriter, depth: Int) {
        if isNil(value) { return writer.plain.write("nil") }
        writer.plain.write("Optional(")
        // The wrapped value stands at the beginning of an optional's memory, as it would stand alone.
        writer.write(value, plan, depth: depth + 1)
        writer.plain.write(")")
    }

    override func compareParts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, in diff: inout StateDiff) {
        if isNil(old) || isNil(new) { return diff.compareOptionals(typed(old), typed(new)) }
        diff.compare(old, new, plan)
    }
}

extension Optional: PlannedValue {
    static func makePlan(_ plans: ValueLayouts) -> ValueLayout { OptionalLayout<Wrapped>(plans.plan(for: Wrapped.self)) }
}
