/// The parsed arguments of a call.
struct Arguments: Sendable {
    /// The arguments that are no flags, in order.
    private(set) var operands: [String] = []
    private var values: [String: any Sendable] = [:]

    mutating func addOperand(_ operand: String) { operands.append(operand) }
    mutating func set(_ value: any Sendable, for flag: FlagDeclaration) { values[flag.name] = value }
    /// The value as it was set, whatever its type.
    func value(of flag: FlagDeclaration) -> (any Sendable)? { values[flag.name] }
    func has(_ flag: FlagDeclaration) -> Bool { values[flag.name] != nil }

    /// The flag's value, or its standard one; `nil` if there is neither.
    subscript<Value>(flag: Flag<Value>) -> Value? { values[flag.declaration.name] as? Value }

    /// Whether a switch was given.
    subscript(flag: Flag<Bool>) -> Bool { values[flag.declaration.name] != nil }

    /// The value of a flag that is declared as required or with a standard value. Parsing makes sure that there is one.
    func value<Value>(of flag: Flag<Value>) throws(UsageError) -> Value {
        guard let value = self[flag] else { throw UsageError("\(flag.declaration.dashed) is needed") }
        return value
    }
}
