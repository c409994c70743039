package import Basics

extension BGZF {
    /// Where a search for the next whole member ended.
    package enum Resync: Equatable, Sendable {
        /// A member begins here; its CRC and size were checked.
        case member(offset: Int, Header)
        /// No member before `searchedTo`. From there on the bytes given do not suffice to say; if no more are to come, there is none.
        case none(searchedTo: Int)
    }

    /// Finds the first member at or after `start` that is whole and whose CRC proves it: where to go on after damage.
    ///
    /// Two bytes that look like a header are no proof, so each candidate is inflated into `scratch`, which is left as it was.
    package static func nextMember(
        in bytes: UnsafeRawBufferPointer, from start: Int, inflater: BGZFInflater, scratch: ByteBuffer
    ) -> Resync {
        guard let base = bytes.baseAddress else { return .none(searchedTo: 0) }
        var next = start
        /// The first candidate that the end of `bytes` cut; candidates after it may still be whole.
        var open: Int?
        while next < bytes.count, let found = memchr(base + next, 0x1F, bytes.count - next) {
            let candidate = UnsafeRawPointer(found) - base
            let rest = UnsafeRawBufferPointer(rebasing: bytes[candidate...])
            switch head(of: rest) {
            case .member(let header) where header.memberBytes <= rest.count:
                let before = scratch.count
                let outcome = inflater.appendContents(of: rest, header: header, to: scratch)
                scratch.truncate(to: before)
                if outcome == .whole { return .member(offset: candidate, header) }
            case .member, .cut: open = open ?? candidate
            case .otherGzip, .none: break
            }
            next = candidate + 1
        }
        return .none(searchedTo: open ?? max(bytes.count, start))
    }
}
