/// Work that has no end of its own: it suspends until its task is cancelled. It uses no clock, so a slow machine does not end it early.
///
/// - Throws: `CancellationError`, always.
public func forever() async throws -> Never {
    let (stream, _) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    throw CancellationError()
}
