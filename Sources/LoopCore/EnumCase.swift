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
    /// That costs about a microsecond for each value of the case. Where two cases have payloads of one type they are told
    /// apart by the case itself.
    public init(_ embed: @escaping (Value) -> Root) {
        self.init(embed: embed) { root in
            guard let payload = Self.payload(of: root) else { return nil }
            return EventName.key(of: embed(payload)) == EventName.key(of: root) ? payload : nil
        }
    }

    /// The only child of the mirror of an enum with a payload is that payload.
    private static func payload(of root: Root) -> Value? {
        guard let child = Mirror(reflecting: root).children.first else { return nil }
        if let value = child.value as? Value { return value }
        // A single labelled payload is a tuple of one to the mirror.
        let inner = Mirror(reflecting: child.value)
        guard inner.displayStyle == .tuple, inner.children.count == 1 else { return nil }
        return inner.children.first?.value as? Value
    }
}

extension EnumCase where Root == Value {
    /// Everything, unchanged.
    public static var whole: EnumCase { EnumCase(embed: { $0 }, extract: { $0 }) }
}
