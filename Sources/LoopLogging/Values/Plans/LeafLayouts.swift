import LoopCore

/// A type of the language whose values are written by a function that is compiled for this type, and not for any type.
final class LeafLayout: ValueLayout {
    typealias Write = (_ value: UnsafeRawPointer, _ writer: inout ValueWriter, _ isNested: Bool) -> Void

    private let box: (UnsafeRawPointer) -> Any
    private let isEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
    private let writeValue: Write
    private let isText: Bool
    private let mayBeNaN: Bool
    override var comparableBytes: Int { bytes }
    private let bytes: Int

    /// - Parameter mayBeNaN: whether unequal values may both be no number, which is no change.
    @inline(__always)
    init<Value: Equatable>(
        _: Value.Type, mayBeNaN: Bool = false, _ write: @escaping (_ value: Value, _ writer: inout ValueWriter, _ isNested: Bool) -> Void
    ) {
        self.mayBeNaN = mayBeNaN
        isText = Value.self == String.self
        bytes = mayBeNaN ? 0 : MemoryLayout<Value>.size
        box = { $0.load(as: Value.self) }
        isEqual = { $0.assumingMemoryBound(to: Value.self).pointee == $1.assumingMemoryBound(to: Value.self).pointee }
        writeValue = { write($0.assumingMemoryBound(to: Value.self).pointee, &$1, $2) }
    }

    override var isReflected: Bool { false }
    override func any(_ value: UnsafeRawPointer) -> Any { box(value) }
    override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool? { isEqual(a, b) }
    override func write(_ value: UnsafeRawPointer, to writer: inout ValueWriter, depth: Int) { writeValue(value, &writer, depth > 0) }

    override func compareParts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, in diff: inout StateDiff) {
        if isText || mayBeNaN { return diff.compareTexts(box(old), box(new)) }
        diff.compareTexts(old, new, self)
    }
}

extension String: PlannedValue {
    static func makePlan(_ plans: ValueLayouts) -> ValueLayout { LeafLayout(String.self) { $1.write($0, isNested: $2) } }
}

extension Bool: PlannedValue {
    static func makePlan(_ plans: ValueLayouts) -> ValueLayout {
        LeafLayout(Bool.self) { value, writer, _ in writer.plain.write(value ? "true" : "false") }
    }
}

extension Double: PlannedValue {
    static func makePlan(_ plans: ValueLayouts) -> ValueLayout {
        LeafLayout(Double.self, mayBeNaN: true) { $1.plain.write($2 ? $0.debugDescription : $0.description) }
    }
}

extension Float: PlannedValue {
    static func makePlan(_ plans: ValueLayouts) -> ValueLayout {
        LeafLayout(Float.self, mayBeNaN: true) { $1.plain.write($2 ? $0.debugDescription : $0.description) }
    }
}

extension PlannedValue where Self: FixedWidthInteger {
    static func makePlan(_ plans: ValueLayouts) -> ValueLayout {
        LeafLayout(Self.self) { value, writer, _ in writer.plain.write(value.description) }
    }
}

extension Int: PlannedValue {}
extension Int8: PlannedValue {}
extension Int16: PlannedValue {}
extension Int32: PlannedValue {}
extension Int64: PlannedValue {}
extension UInt: PlannedValue {}
extension UInt8: PlannedValue {}
extension UInt16: PlannedValue {}
extension UInt32: PlannedValue {}
extension UInt64: PlannedValue {}
