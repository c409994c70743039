import LoopCore

/// What reflection says of a value's type.
enum ValueShape {
    /// The name of an enum's case; `nil` for what is no enum.
    static func caseName(of value: Any) -> String? {
        func open<Concrete>(_ value: Concrete) -> String? { LoopCore.caseName(value).map { String(cString: $0) } }
        return _openExistential(value, do: open)
    }

    /// The name of a property. A wrapped property is stored under its name with an underscore, which is left out if it is sensitive.
    static func label(_ label: String, of value: Any) -> String {
        label.hasPrefix("_") && value is any LogSensitive ? String(label.dropFirst()) : label
    }

    static func identity(of value: Any) -> AnyHashable? {
        func id(_ value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }
        guard !(value is any LogSensitive), let value = value as? any Identifiable else { return nil }
        return id(value)
    }

    /// Types of the language and of Foundation that describe themselves are shown whole: the inside of a date helps nobody.
    static func isShownWhole(_ value: Any) -> Bool {
        guard value is any CustomStringConvertible || value is any CustomDebugStringConvertible else { return false }
        let name = String(reflecting: type(of: value))
        return ["Swift.", "Foundation.", "FoundationEssentials.", "__C."].contains { name.hasPrefix($0) }
    }

    static func isNaN(_ value: Any) -> Bool { (value as? any FloatingPoint)?.isNaN ?? false }
}
