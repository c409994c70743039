/// What a flush waits for.
public enum FlushDurability: Sendable, Equatable {
    /// The bytes are with the system: they survive the process being killed.
    case processKill
    /// The bytes are on the storage: they survive power loss, too. Costs a device flush, some milliseconds.
    case durable
}
