import Foundation
import LoopCore
import LoopLogFiles
import LoopLogging
import LoopRecording
import Testing

private struct Cart: Codable, Equatable, Sendable {
    var items: [String: Int] = [:]
    var isPaid = false
}

private enum CartEvent: Codable, Sendable { case add(String), pay }

private enum Shop {
    @MainActor static func makeSystem() -> System<Cart, CartEvent> {
        System(
            initialState: Cart(),
            reducer: { (cart: inout Cart, event: CartEvent) in
                switch event {
                case .add(let sku): cart.items[sku, default: 0] += 1
                case .pay: cart.isPaid = true
                }
            })
    }
}

@MainActor @Suite struct LoopRecordingPage {
    @Test func `A recorded session is replayed`() async throws {
        let folder = NSTemporaryDirectory() + "looptrail-page-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let system = Shop.makeSystem()

        let recorder = try Recorder(folder: folder)
        system.attach(.record(to: recorder))

        for event in [CartEvent.add("a"), .add("b"), .pay] { system.send(event) }
        try await recorder.close()

        let recording = try Recording(contentsOf: folder)
        let again = Shop.makeSystem().attach(.log(.changes))
        try await again.replay(recording)

        #expect(again.state == system.state && again.eventNumber == 3)
    }
}
