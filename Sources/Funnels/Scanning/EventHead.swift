import EventFiles

/// The fields of a line, or those of a summary's row that were read; valid while a batch takes it. An empty text is a missing field.
struct EventHead {
    enum Kind { case event, meta, timing }

    var time: Int64
    var name: UnsafeRawBufferPointer
    var user = UnsafeRawBufferPointer(start: nil, count: 0)
    var session = UnsafeRawBufferPointer(start: nil, count: 0)
    /// 0 if missing.
    var sequence: Int64 = 0
    /// The fingerprint of the id; ``Fingerprint/none`` if the id is missing, or if that of a summary's row need not be compared.
    var id = Fingerprint.none
    /// The id itself; empty for a summary's row, whose id ``SummaryRows/idText(_:)`` gives.
    var idText = UnsafeRawBufferPointer(start: nil, count: 0)
    /// See ``IDSpan/beginning(of:)``; 0 for a summary's row, where it is unknown.
    var idBeginning: UInt128 = 0
    var system = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The number of the name in a summary's row group; all rows of a batch have the same numbering. -1 for a line.
    var nameCode = -1
    /// The user's and the session's number in the same way; -1 also where there is none.
    var userCode = -1
    var sessionCode = -1
    /// Whether an earlier line of the same file is known to have the id. Only rows of a summary know.
    var isRepeated = false
    var kind = Kind.event
    var properties = EventProperties()
    /// All properties as an object: what stands after `"props":` on the line. Only here and in ``line`` are texts quoted and escaped.
    var props: UnsafeRawBufferPointer { properties.json }
    /// The whole line; empty for a summary's row.
    var line = UnsafeRawBufferPointer(start: nil, count: 0)
}
