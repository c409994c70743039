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
    public init(embed: @escaping (Value) -> Root, extract: @escaping (Root) -> Value?) {
        self.embed = embed
        self.extract = extract
    }

    /// A case by its name alone; the payload is found by reflection.
    ///
    /// That costs about a microsecond for each value of the case. Cases with payloads of one type, or with one base name,
    /// are not confused: the case itself is compared. A case without a payload is one of `Void`: `EnumCase<AppEvent, Void> { .refresh }`.
    ///
    /// A payload that is a function, or an optional or a tuple with one, stops the program with a message: reflection hands functions out in a form
    /// that cannot be called. Give both directions for such a case.
    public init(_ embed: @escaping (Value) -> Root) {
        precondition(
            !holdsFunction("\(Value.self)"),
            "EnumCase cannot take a payload of type \(Value.self) out of an enum by reflection. Use EnumCase(embed:extract:) for this case."
        )
        self.init(embed: embed) { root in
            guard let payload = Self.payload(of: root) else { return nil }
            return Self.isOneCase(embed(payload), root) ? payload : nil
        }
    }

    /// The number of the case comes first: cases that differ by their labels alone share a name.
    private static func isOneCase(_ a: Root, _ b: Root) -> Bool {
        if let tag = EnumTag.of(a) { return tag == EnumTag.of(b) }
        return EventName.key(of: a) == EventName.key(of: b)
    }

    /// The only child of the mirror of an enum with a payload is that payload.
    private static func payload(of root: Root) -> Value? {
        guard let child = Mirror(reflecting: root).children.first else { return () as? Value }
        // Anything at all would take the tuple for the payload.
        if Value.self != Any.self, let value = child.value as? Value { return value }
        // A single labelled payload is a tuple of one to the mirror.
        let inner = Mirror(reflecting: child.value)
        guard inner.displayStyle == .tuple, inner.children.count == 1 else { return child.value as? Value }
        return inner.children.first?.value as? Value
    }
}

/// Whether a type of this name is a function, or an optional or a tuple with one. Inside any other generic type it does no harm.
private func holdsFunction(_ typeName: String) -> Bool {
    let optional = Array("Optional".utf8)
    var seen: [UInt8] = []
    /// For each open bracket whether it is an optional's.
    var brackets: [Bool] = []
    for character in typeName.utf8 {
        switch character {
        case UInt8(ascii: "<"): brackets.append(seen.suffix(optional.count).elementsEqual(optional))
        case UInt8(ascii: ">"):
            if seen.last != UInt8(ascii: "-") {
                _ = brackets.popLast()
            } else if brackets.allSatisfy({ $0 }) {
                return true
            }
        default: break
        }
        seen.append(character)
    }
    return false
}

extension EnumCase where Root == Value {
    /// Everything, unchanged.
    public static var whole: EnumCase { EnumCase(embed: { $0 }, extract: { $0 }) }
}
