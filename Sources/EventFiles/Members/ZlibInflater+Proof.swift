import Deflate

extension ZlibInflater {
    /// What can be said of bytes where a gzip member may begin.
    enum Proof { case member, none, needsMore }

    /// This many sound bytes, compressed or raw, rule out chance.
    private static let proofBytes = 128 * 1024

    /// Whether a sound gzip member begins here: it ends with the right CRC, or inflates without an error for so long that chance is ruled
    /// out. For bytes that damage makes doubtful; resets the stream before and after.
    func proof(of bytes: UnsafeRawBufferPointer) -> Proof {
        reset()
        defer { reset() }
        return withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 16) { room in
            var (taken, produced) = (0, 0)
            while produced < Self.proofBytes && taken < Self.proofBytes {
                let step = inflate(UnsafeRawBufferPointer(rebasing: bytes[taken...]), to: room)
                taken += step.consumed
                produced += step.produced
                switch step.status {
                case .ended: return .member
                case .damaged: return .none
                case .more: if step.consumed == 0 && step.produced == 0 { return .needsMore }
                }
            }
            return .member
        }
    }
}
