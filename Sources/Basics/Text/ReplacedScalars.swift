extension String {
    /// The text with some scalars replaced. Scalars, not characters: a mark that combines with a scalar must not hide it.
    ///
    /// - Parameter replacement: `nil` for a scalar that stays.
    package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        guard unicodeScalars.contains(where: { replacement($0) != nil }) else { return self }
        var replaced = ""
        for scalar in unicodeScalars {
            if let text = replacement(scalar) { replaced += text } else { replaced.unicodeScalars.append(scalar) }
        }
        return replaced
    }
}
