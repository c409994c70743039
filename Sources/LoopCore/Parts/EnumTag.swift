/// The number of an enum value's case, without its name.
///
/// The runtime's function for the name resolves the type of the payload each time, which takes ten times as long. The language
/// has no spelling for the number; this reads it as the runtime does, through the type's value witness table (Swift's stable
/// ABI, `docs/ABI/TypeMetadata.md` and `include/swift/ABI/ValueWitness.def` in the Swift repository).
package enum EnumTag {
    #if _pointerBitWidth(_64) && !_ptrauth(_arm64e)
    private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

    /// `nil` for a type that is no enum.
    package static func of<Value>(_ value: Value) -> UInt32? {
        let type = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
        let kind = type.load(as: UInt.self)
        guard kind == enumKind || kind == optionalKind else { return nil }
        let witnesses = type.load(fromByteOffset: -8, as: UnsafeRawPointer.self)
        guard witnesses.load(fromByteOffset: flagsOffset, as: UInt32.self) & hasEnumWitnesses != 0 else { return nil }
        let getTag = unsafeBitCast(witnesses.load(fromByteOffset: getTagOffset, as: UnsafeRawPointer.self), to: GetTag.self)
        return withUnsafePointer(to: value) { getTag($0, type) }
    }

    private static var enumKind: UInt { 0x201 }
    private static var optionalKind: UInt { 0x202 }
    /// Eight functions, the size and the stride stand before the flags; the count of extra inhabitants follows these.
    private static var flagsOffset: Int { 80 }
    private static var getTagOffset: Int { 88 }
    private static var hasEnumWitnesses: UInt32 { 0x20_0000 }
    #else
    /// Unknown on this platform, where the offsets differ or functions in tables are signed; the slower way serves there.
    package static func of<Value>(_ value: Value) -> UInt32? { nil }
    #endif
}
