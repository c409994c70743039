package enum GroupedNumber {
    /// `1,234,567`
    ///
    /// - Parameter minus: the sign of a negative number.
    package static func text(_ number: some BinaryInteger, minus: String = "-") -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? minus : ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// `1 file`, `2 files`.
    package static func counted(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(text(number)) \(number == 1 ? one : many ?? one + "s")"
    }
}
