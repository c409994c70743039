/// Printing, logging and dumping a value never show a sensitive value inside.
extension TrackingValue: CustomStringConvertible, CustomReflectable {
    /// The value as a literal, `["sku": "A1", "price": 9.5]`; `***` instead of a sensitive value.
    public var description: String {
        switch self {
        case .string(let text): text.debugDescription
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let truth): "\(truth)"
        case .null: "null"
        case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        case .object(let properties) where properties.isEmpty: "[:]"
        case .object(let properties): "[\(properties.entries.map { "\($0.key.debugDescription): \($0.value)" }.joined(separator: ", "))]"
        case .sensitiveValue: "***"
        }
    }

    /// What reflection sees; nothing inside sensitive values.
    public var customMirror: Mirror {
        let children: [Mirror.Child] =
            switch self {
            case .string(let text): [("string", text)]
            case .int(let number): [("int", number)]
            case .double(let number): [("double", number)]
            case .bool(let truth): [("bool", truth)]
            case .array(let values): [("array", values)]
            case .object(let properties): [("object", properties)]
            case .null, .sensitiveValue: []
            }
        return Mirror(self, children: children, displayStyle: .enum)
    }
}
