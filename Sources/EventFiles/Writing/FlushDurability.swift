/// What a flush waits for.
public enum FlushDurability: Sendable, Equatable {
    /// The operating system has the bytes: they survive the process being killed.
    case processKill
    /// The bytes are on the storage: they survive power loss, too. Costs a device flush, some milliseconds.
    case durable
}
