extension BGZF {
    /// Goes from member to member in the bytes of a file, or of a window of it. Nothing is inflated.
    struct Walk {
        enum Stop {
            /// The bytes end behind a member.
            case end
            /// They end inside a member.
            case cut
            /// A gzip header without the blocked extra field.
            case otherGzip
            /// No gzip header.
            case foreign
        }

        /// Why no further member follows; `nil` as long as that is not known.
        private(set) var stop: Stop?
        private(set) var extent = 0
        private(set) var count = 0
        /// Where the last member begins, and its header.
        private(set) var last = 0
        private(set) var header = Header(memberBytes: 0, bodyOffset: 0)

        /// Goes to the next member; `false` if it is not whole in these bytes. There may be more of them than at the step before.
        mutating func step(in bytes: UnsafeRawBufferPointer) -> Bool {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[extent...])
            switch BGZF.head(of: rest) {
            case .member(let found) where found.memberBytes <= rest.count:
                (header, last, stop) = (found, extent, nil)
                extent += found.memberBytes
                count += 1
                return true
            case .member, .cut: stop = rest.count == 0 ? .end : .cut
            case .otherGzip: stop = .otherGzip
            case .none: stop = .foreign
            }
            return false
        }

        /// Sets ``stop`` if the bytes that follow are no gzip header.
        mutating func look(in bytes: UnsafeRawBufferPointer) {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[extent...])
            if rest.count > 0, BGZF.head(of: rest) == .none { stop = .foreign }
        }
    }
}
