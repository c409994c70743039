/// Reads the number of an enum value's case without its name, and the case's payload without a mirror. The runtime's functions for name and
/// payload look up the payload's type each time, which takes ten times as long. Swift has no other way to either, so this reads both as the
/// runtime does, through the type's value witness table and its descriptor (Swift's stable ABI, `docs/ABI/TypeMetadata.md`,
/// `include/swift/ABI/ValueWitness.def` and `include/swift/RemoteInspection/Records.h` in the Swift repository).
package enum EnumTag {
    #if _pointerBitWidth(_64) && !_ptrauth(_arm64e)
    private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    /// The number of a value's case; `nil` for a type that is no enum.
    package static func of<Value>(_ value: Value) -> UInt32? {
        guard let (type, witnesses) = parts(of: Value.self) else { return nil }
        let getTag = witnesses.load(fromByteOffset: getTagOffset, as: GetTag.self)
        return withUnsafePointer(to: value) { getTag($0, type) }
    }

    /// Whether the case with this number has a payload that lies in the value itself, and not in a box as with an `indirect` case.
    package static func hasPayloadInPlace<Value>(_ tag: UInt32, of _: Value.Type) -> Bool {
        // Cases with a payload come first.
        guard let cases = cases(of: Value.self), tag < cases.withPayload else { return false }
        return cases.record(Int(tag)).load(as: UInt32.self) & isIndirect == 0
    }

    /// The names of all cases, those with a payload first; none where the module was compiled without reflection metadata.
    package static func caseNames<Value>(of _: Value.Type) -> [String] {
        guard let cases = cases(of: Value.self) else { return [] }
        return (0..<Int(cases.withPayload + cases.withoutPayload)).map { index in
            let name = cases.record(index) + 8
            return String(cString: (name + Int(name.load(as: Int32.self))).assumingMemoryBound(to: CChar.self))
        }
    }

    /// What the type's descriptor says of its cases; `nil` in a module that was compiled without reflection metadata.
    private static func cases<Value>(
        of _: Value.Type
    ) -> (withPayload: UInt32, withoutPayload: UInt32, record: (_ index: Int) -> UnsafeRawPointer)? {
        guard let (type, _) = parts(of: Value.self) else { return nil }
        let descriptor = type.load(fromByteOffset: descriptorOffset, as: UnsafeRawPointer.self)
        let toFields = descriptor.load(fromByteOffset: fieldsOffset, as: Int32.self)
        if toFields == 0 { return nil }
        let fields = descriptor + fieldsOffset + Int(toFields)
        let bytes = Int(fields.load(fromByteOffset: fieldBytesOffset, as: UInt16.self))
        return (
            descriptor.load(fromByteOffset: payloadCasesOffset, as: UInt32.self) & 0xFF_FFFF,
            descriptor.load(fromByteOffset: payloadCasesOffset + 4, as: UInt32.self), { fields + firstFieldOffset + $0 * bytes }
        )
    }

    /// Calls `body` with the payload, which it must not change. ``hasPayloadInPlace(_:of:)`` must be `true` for the value's case.
    package static func withPayload<Value>(of value: Value, _ tag: UInt32, _ body: (UnsafeRawPointer) -> Void) {
        guard let (type, witnesses) = parts(of: Value.self) else { return }
        // The number may stand in bits that the payload leaves free: it is taken out of a copy, and put back before the copy is destroyed.
        var copy = value
        withUnsafeMutablePointer(to: &copy) { copy in
            let pointer = UnsafeMutableRawPointer(copy)
            witnesses.load(fromByteOffset: getTagOffset + 8, as: Project.self)(pointer, type)
            body(pointer)
            witnesses.load(fromByteOffset: getTagOffset + 16, as: Inject.self)(pointer, tag, type)
        }
    }

    private static func parts<Value>(of _: Value.Type) -> (type: UnsafeRawPointer, witnesses: UnsafeRawPointer)? {
        let type = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
        let kind = type.load(as: UInt.self)
        guard kind == enumKind || kind == optionalKind else { return nil }
        let witnesses = type.load(fromByteOffset: -8, as: UnsafeRawPointer.self)
        guard witnesses.load(fromByteOffset: flagsOffset, as: UInt32.self) & hasEnumWitnesses != 0 else { return nil }
        return (type, witnesses)
    }

    private static var enumKind: UInt { 0x201 }
    private static var optionalKind: UInt { 0x202 }
    /// Eight functions, the size and the stride stand before the flags; the count of extra inhabitants follows these.
    private static var flagsOffset: Int { 80 }
    private static var getTagOffset: Int { 88 }
    private static var hasEnumWitnesses: UInt32 { 0x20_0000 }
    /// In the type's metadata, behind the kind.
    private static var descriptorOffset: Int { 8 }
    private static var fieldsOffset: Int { 16 }
    private static var payloadCasesOffset: Int { 20 }
    /// In the descriptor of the fields, behind two names and the kind.
    private static var fieldBytesOffset: Int { 10 }
    private static var firstFieldOffset: Int { 16 }
    private static var isIndirect: UInt32 { 1 }
    #else
    /// Unknown on this platform, where the offsets differ or functions in tables are signed: callers use reflection.
    package static func of<Value>(_ value: Value) -> UInt32? { nil }
    package static func hasPayloadInPlace<Value>(_ tag: UInt32, of _: Value.Type) -> Bool { false }
    package static func caseNames<Value>(of _: Value.Type) -> [String] { [] }
    package static func withPayload<Value>(of value: Value, _ tag: UInt32, _ body: (UnsafeRawPointer) -> Void) {}
    #endif
}
