import Basics

/// Runs of whole lines, each with its line feed.
enum LineRuns {
    /// Where a member that begins at an offset ends: behind the last line that fits.
    ///
    /// A line that fits into no member, which only other tools write, is cut.
    static func memberEnd(in bytes: ByteBuffer, from start: Int, limit: Int) -> Int {
        if limit - start <= BGZF.rawLimit { return limit }
        var end = start + BGZF.rawLimit
        while end > start, bytes.base[end - 1] != UInt8(ascii: "\n") { end -= 1 }
        return end > start ? end : start + BGZF.rawLimit
    }

    static func count(in raw: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in raw where byte == UInt8(ascii: "\n") { count &+= 1 }
        return count
    }
}
