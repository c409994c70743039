/// One piece of a file, and what is known of it. Its bytes are in the ``Workspace`` of the thread that works on it.
struct Chunk {
    var index = 0
    var isLast = false
    var isCompressed = false
    /// Whether offsets in the raw bytes are offsets in the file.
    var isPlain = false
    /// Whether bytes right before this chunk are lost, and whether bytes right after it are.
    var followsDamage = false
    var endsInDamage = false
    /// Whether the bytes behind that damage begin a line: then none of them is passed over, even if the line in front of the damage is cut.
    var beginsLine = false
    var nextBeginsLine = false
    var damage: [Damage] = []
    var members = 0
    var lines = 0
    var framing = FileFraming.empty
    var endOffset: Int64 = 0
    var hasEndMember = false
    var isGone = false
}
