/// Work that has no end of its own: it suspends until its task is cancelled. No clock runs, so nothing ends it on a slow machine.
///
/// - Throws: `CancellationError`, always.
public func forever() async throws -> Never {
    let (stream, _) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    throw CancellationError()
}
