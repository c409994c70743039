/// A value that holds no others and stands in JSON as one text, number or truth value. Only types of the language are leaves.
protocol RecordedLeaf: LosslessStringConvertible { var recorded: RecordedValue { get } }

extension RecordedLeaf {
    /// `nil` if it is no value of this type.
    init?(recorded value: RecordedValue) {
        self.init(value.text ?? value.json)
        // "5" is not 5.
        if (recorded.text == nil) != (value.text == nil) { return nil }
    }
}

extension String: RecordedLeaf { var recorded: RecordedValue { .text(self) } }
extension Bool: RecordedLeaf { var recorded: RecordedValue { .bool(self) } }
/// JSON has neither infinity nor NaN: these become texts.
extension Double: RecordedLeaf { var recorded: RecordedValue { isFinite ? RecordedValue(self) : .text(description) } }
/// With no more digits than a `Float` needs.
extension Float: RecordedLeaf { var recorded: RecordedValue { (Double(description) ?? Double(self)).recorded } }

extension RecordedLeaf where Self: FixedWidthInteger {
    var recorded: RecordedValue { Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self)) }
}

extension Int: RecordedLeaf {}
extension Int8: RecordedLeaf {}
extension Int16: RecordedLeaf {}
extension Int32: RecordedLeaf {}
extension Int64: RecordedLeaf {}
extension UInt: RecordedLeaf {}
extension UInt8: RecordedLeaf {}
extension UInt16: RecordedLeaf {}
extension UInt32: RecordedLeaf {}
extension UInt64: RecordedLeaf {}
