import LoopCore

/// Arrays, with the plan of their elements.
final class ElementsLayout<Element>: TypedLayout<[Element]> {
    private let plan: ValueLayout

    init(_ plan: ValueLayout) { self.plan = plan }

    override var isReflected: Bool { false }

    override func write(_ value: UnsafeRawPointer, to writer: inout ValueWriter, depth: Int) {
        writer.plain.write("[")
        typed(value).withUnsafeBytes { bytes in
            guard var element = bytes.baseAddress else { return }
            let end = element + bytes.count
            let start = element
            while element < end, !writer.plain.isFull {
                if element > start { writer.plain.write(", ") }
                writer.write(element, plan, depth: depth + 1)
                element += MemoryLayout<Element>.stride
            }
        }
        writer.plain.write("]")
    }

    override func compareParts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, in diff: inout StateDiff) {
        diff.compareElements(typed(old), typed(new))
    }
}

extension Array: PlannedValue {
    static func makePlan(_ plans: ValueLayouts) -> ValueLayout { ElementsLayout<Element>(plans.plan(for: Element.self)) }
}
