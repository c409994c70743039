/// An event that says its own name. Other events are named after their enum case, or after their type if that is no enum.
public protocol NamedEvent {
    /// A short constant name, the same for all events of a kind: logs and histograms group by it.
    var eventName: String { get }
}

/// The names of events, for whatever groups or prints by event: the runtime's name of the case. Reflection would format the payload.
@usableFromInline
package enum EventName {
    /// What kind of event this is: equal for cases of one enum with one base name, else for values of one type. Costs no allocation.
    @inlinable
    package static func key<Event>(of event: Event) -> UInt { caseName(event).map { UInt(bitPattern: $0) } ?? dynamicKey(of: event) }

    /// The name under which an event is known: its ``NamedEvent/eventName``, its case, or its type.
    package static func name<Event>(of event: Event) -> String {
        if let named = event as? any NamedEvent { return named.eventName }
        if let name = caseName(event) { return String(cString: name) }
        let any: Any = event
        return opened(any) { $0.map { String(cString: $0) } } ?? String(describing: type(of: any))
    }

    @usableFromInline
    package static func dynamicKey<Event>(of event: Event) -> UInt {
        let any: Any = event
        return opened(any) { UInt(bitPattern: $0) } ?? UInt(bitPattern: ObjectIdentifier(type(of: any)))
    }

    /// Asks again with the type that a protocol value has at run time.
    private static func opened<Result>(_ any: Any, _ use: (UnsafePointer<CChar>?) -> Result?) -> Result? {
        func open<Concrete>(_ value: Concrete) -> Result? { caseName(value).flatMap { use($0) } }
        return _openExistential(any, do: open)
    }
}

/// The name of an enum value's case, `nil` for any other type. The text lives as long as the program, and all values of a case share it.
/// This is the function behind the standard library's own printing of enums. It has no public spelling.
@_silgen_name("swift_EnumCaseName")
@usableFromInline
package func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
