import Basics
import Synchronization

/// One case of an enum, with its payload: how to make it, and how to take it out.
///
/// ```swift
/// enum AppEvent { case cart(CartEvent), search(SearchEvent) }
/// let cart = EnumCase(AppEvent.cart)
/// cart.extract(.cart(.clear))        // .clear
/// cart.extract(.search(.open))       // nil
/// ```
public struct EnumCase<Root, Value> {
    public let embed: (Value) -> Root
    /// `nil` for another case.
    public let extract: (Root) -> Value?

    /// A case by both directions: the fast form, which needs no reflection.
    public init(embed: @escaping (Value) -> Root, extract: @escaping (Root) -> Value?) { (self.embed, self.extract) = (embed, extract) }

    /// A case by its name alone.
    ///
    /// The first value of each case is looked at by reflection, which costs about a microsecond; from then on the case is known by its
    /// number, and its payload is read where it lies. On arm64e, on 32-bit platforms and for an `indirect` case, reflection is used each
    /// time. Cases that share a payload type and a base name are told apart by their labels. A case without a payload has the payload
    /// `Void`: `EnumCase<AppEvent, Void> { .refresh }`.
    ///
    /// A payload that is a function, or an optional or a tuple with one, stops the program with a message: reflection hands functions out
    /// in a form that cannot be called. Give both directions for such a case.
    public init(_ embed: @escaping (Value) -> Root) {
        let payload = CasePayload<Root, Value>()
        self.init(embed: embed) { payload.taken(from: $0, by: embed) }
    }
}

/// Takes the payload of one case out of an enum's values.
struct CasePayload<Root, Value>: Sendable {
    private let numbers = CaseNumbers()

    init() {
        precondition(
            !holdsFunction(Value.self),
            "EnumCase cannot take a payload of type \(Value.self) out of an enum by reflection. Use EnumCase(embed:extract:) for this case."
        )
    }

    /// The value that `embed` makes. Debug builds report one whose payload could not be taken out again.
    func embedded(_ payload: Value, by embed: (Value) -> Root) -> Root {
        let root = embed(payload)
        #if DEBUG
        if taken(from: root, by: embed) == nil {
            Misuse.report("looptrail: \(Root.self).\(EventName.name(of: root)) is not one case with its Part's event alone.")
        }
        #endif
        return root
    }

    /// The payload of a value of the case that `embed` makes; `nil` for another case.
    func taken(from root: Root, by embed: (Value) -> Root) -> Value? {
        guard let tag = EnumTag.of(root) else { return reflectedPayload(of: root).flatMap { isSameCase(embed($0), root) ? $0 : nil } }
        switch numbers.known(tag) {
        case .other: return nil
        case .inPlace:
            var payload: Value?
            EnumTag.withPayload(of: root, tag) { payload = $0.assumingMemoryBound(to: Value.self).pointee }
            return payload
        case .reflected: return reflectedPayload(of: root)
        case .unknown: break
        }
        guard let payload = reflectedPayload(of: root) else {
            if !mayHoldAnything(root) { numbers.note(other: tag) }
            return nil
        }
        let own = EnumTag.of(embed(payload))
        guard own == tag else {
            numbers.note(other: tag)
            return nil
        }
        numbers.note(own: tag, isInPlace: EnumTag.hasPayloadInPlace(tag, of: Root.self) && declares(Value.self, root))
        return payload
    }

    /// Whether two values are of one case, by its base name and its labels: these are in the type of the payload as a mirror shows it.
    private func isSameCase(_ a: Root, _ b: Root) -> Bool {
        func shown(_ root: Root) -> Any.Type? { Mirror(reflecting: root).children.first.map { type(of: $0.value) } }
        return EventName.key(of: a) == EventName.key(of: b) && shown(a) == shown(b)
    }

    /// The payload as a mirror shows it, the only child of the enum's value; `()` without a child. `nil` if the payload has another type.
    private func reflectedPayload(of root: Root) -> Value? {
        guard let child = Mirror(reflecting: root).children.first else { return () as? Value }
        // Everything casts to `Any`, also the tuple around a single labelled payload: there it is taken off first.
        if Value.self != Any.self, let value = child.value as? Value { return value }
        return single(child.value) as? Value
    }

    /// The element of a tuple of one, which is how a mirror shows a single labelled payload; any other payload as it is.
    private func single(_ payload: Any) -> Any {
        let inner = Mirror(reflecting: payload)
        return inner.displayStyle == .tuple && inner.children.count == 1 ? inner.children.first!.value : payload
    }

    /// Whether the case of a value declares a payload of exactly this type: a mirror boxes the payload by its declared type.
    private func declares<Wanted>(_: Wanted.Type, _ root: Root) -> Bool {
        func isWanted<Payload>(_: Payload) -> Bool { Payload.self == Wanted.self }
        guard let payload = Mirror(reflecting: root).children.first?.value else { return false }
        return _openExistential(payload, do: isWanted) || _openExistential(single(payload), do: isWanted)
    }

    /// Whether another value of this case may hold a `Value`, though this one does not: another object, other elements, a wrapped value.
    private func mayHoldAnything(_ root: Root) -> Bool {
        func mayHoldAnything<Payload>(_: Payload) -> Bool {
            ![.struct, .enum].contains(TypeKind(of: Payload.self)) || Payload.self is any Collection.Type
                || Payload.self == AnyHashable.self
        }
        guard let payload = Mirror(reflecting: root).children.first?.value else { return false }
        return _openExistential(payload, do: mayHoldAnything)
    }
}

/// What is known of an enum's cases by their numbers, in one word. The lower half has a bit for each of the first 32 cases, set for those
/// known to be others. Above it is the wanted case's number + 1, or 0; the topmost bit says whether its payload lies in the value.
private final class CaseNumbers: Sendable {
    enum Known { case unknown, other, reflected, inPlace }

    private let word = Atomic(UInt64(0))

    func known(_ tag: UInt32) -> Known {
        let word = word.load(ordering: .relaxed)
        let own = (word << 1) >> 33
        if own == 0 { return tag < 32 && word & 1 << tag != 0 ? .other : .unknown }
        return own != UInt64(tag) + 1 ? .other : word >> 63 == 1 ? .inPlace : .reflected
    }

    func note(other tag: UInt32) { if tag < 32 { word.bitwiseOr(1 << UInt64(tag), ordering: .relaxed) } }

    func note(own tag: UInt32, isInPlace: Bool) {
        guard tag < 1 << 30 else { return }
        word.bitwiseOr((UInt64(tag) + 1) << 32 | (isInPlace ? 1 << 63 : 0), ordering: .relaxed)
    }
}

/// Whether a type is a function, or an optional or a tuple with one. A function inside any other generic type does no harm.
private func holdsFunction(_ type: any Any.Type) -> Bool {
    if let optional = type as? any AnyOptional.Type { return holdsFunction(optional.wrapped) }
    switch TypeKind(of: type) {
    case .function: return true
    case .tuple: return TypeField.all(of: type).contains { holdsFunction($0.type) }
    default: return false
    }
}

private protocol AnyOptional { static var wrapped: any Any.Type { get } }

extension Optional: AnyOptional { fileprivate static var wrapped: any Any.Type { Wrapped.self } }
