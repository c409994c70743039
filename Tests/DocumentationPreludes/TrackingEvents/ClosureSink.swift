struct Service: Sendable {
    func add(_ event: StampedEvent) {}
    func send() async throws -> FlushReceipt { FlushReceipt() }
}
let service = Service()
