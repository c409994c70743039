extension FixedWidthInteger {
    /// The sum; if the type cannot hold it, the nearest number that it can hold: `.max` or `.min`.
    @inlinable package func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference; if the type cannot hold it, the nearest number that it can hold: `.max` or `.min`.
    @inlinable package func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
