extension RandomAccessCollection where Index == Int {
    /// The first index whose element fulfils a condition that holds for all elements from some index on; the end if there is none.
    ///
    /// - Complexity: O(log n)
    @inlinable
    package func partitionPoint(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
