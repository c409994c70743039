import LoopCore
import Testing

@Suite struct EnumTagTests {
    final class Counted: Sendable {}
    enum Shape: Sendable {
        case point, circle(Double), named(String, size: Int), held(Counted), flag(Bool), maybe(Int?)
        indirect case group(Int)
        case empty
    }
    indirect enum Chain { case end, link(Int) }

    /// The payload, of the type that the case declares; `nil` if it does not lie in the value itself.
    private func payload<Value, Payload>(_: Payload.Type, of value: Value) -> Payload? {
        guard let tag = EnumTag.of(value), EnumTag.hasPayloadInPlace(tag, of: Value.self) else { return nil }
        var found: Payload?
        EnumTag.withPayload(of: value, tag) { found = $0.assumingMemoryBound(to: Payload.self).pointee }
        return found
    }

    #if _pointerBitWidth(_64) && !_ptrauth(_arm64e)
    @Test func `payloads are read where they lie`() {
        #expect(payload(Double.self, of: Shape.circle(2.5)) == 2.5)
        #expect(
            payload((String, size: Int).self, of: Shape.named("a long name, on the heap", size: 3)) ?? ("", 0) == (
                "a long name, on the heap", 3
            ))
        #expect(payload(Bool.self, of: Shape.flag(true)) == true)
        #expect(payload(Int?.self, of: Shape.maybe(nil)) == .some(nil))
        #expect(payload(Int?.self, of: Shape.maybe(7)) == .some(7))
        #expect(payload(Int.self, of: Int?.some(5)) == 5)
        #expect(payload(String.self, of: Result<String, any Error>.success("x")) == "x")
    }

    @Test func `reading a payload neither extends nor shortens its life`() {
        weak var object: Counted?
        do {
            let counted = Counted()
            object = counted
            let shape = Shape.held(counted)
            for _ in 0..<3 { #expect(payload(Counted.self, of: shape) === counted) }
            if case .held(let still) = shape { #expect(still === counted) } else { Issue.record("the value changed") }
        }
        #expect(object == nil)
    }
    #endif

    @Test(arguments: [Shape.point, .empty, .group(1)]) func `a case without a payload, or with one in a box, has nothing in place`(
        _ shape: Shape
    ) {
        #expect(EnumTag.of(shape).map { EnumTag.hasPayloadInPlace($0, of: Shape.self) } != true)
    }

    @Test func `indirect enums and types that are not enums have nothing in place`() {
        #expect(EnumTag.of(Chain.link(1)).map { EnumTag.hasPayloadInPlace($0, of: Chain.self) } != true)
        #expect(EnumTag.of(Chain.end).map { EnumTag.hasPayloadInPlace($0, of: Chain.self) } != true)
        #expect(!EnumTag.hasPayloadInPlace(0, of: Int.self))
        #expect(!EnumTag.hasPayloadInPlace(0, of: Counted.self))
        #expect(!EnumTag.hasPayloadInPlace(0, of: (any Error).self))
    }
}
