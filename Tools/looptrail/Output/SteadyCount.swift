/// Tells a count when it has grown, then each time it has doubled, once the next look confirms it: of a file that is being copied, one look
/// may count what the next does not.
struct SteadyCount {
    private var told = 0
    private var last = 0

    /// - Parameter isLast: whether no further look can confirm the count.
    /// - Returns: what to tell; `nil` if that is no more than what was told.
    mutating func next(_ count: Int, isLast: Bool) -> Int? {
        let steady = isLast ? count : min(count, last)
        last = count
        guard steady > told, isLast || steady >= 2 * told else { return nil }
        told = steady
        return steady
    }
}
