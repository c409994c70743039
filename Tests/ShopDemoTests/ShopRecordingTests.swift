import Foundation
import LoopCore
import LoopLogFiles
import LoopRecording
import ShopDemo
import Testing
import TrackingEvents

/// The shop as the demo records it.
@MainActor
@Suite struct ShopRecordingTests {
    private struct Nowhere: TrackingSink {
        func flush() async throws -> FlushReceipt { FlushReceipt() }
        func record(_ event: StampedEvent) {}
    }

    /// Its work is in the recording: nobody is asked.
    private struct Closed: ShopBackend {
        func product(_ sku: String) async throws -> Product { throw ShopError.timeout }
        func add(_ product: Product, to cart: Cart) async throws -> Cart { throw ShopError.timeout }
        func pay(_ cart: Cart) async throws -> Int { throw ShopError.timeout }
    }

    @Test func `a visit that was recorded can be replayed, state by state, without its backend`() async throws {
        let folder = NSTemporaryDirectory() + "shop-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let recorder = try Recorder(folder: folder)
        _ = await ShopSimulation(population: ShopPopulation(seed: 7, shoppers: 5), sink: Nowhere()) { visit in
            visit == 0 ? [.record(to: recorder)] : []
        }.run()
        try await recorder.close()
        let recording = try Recording(contentsOf: folder)
        let result = try await System(name: "shop", initialState: .start, next: Shop(backend: Closed()).reduce).replay(recording)
        #expect(result.events > 3 && result.statesChecked > 3)
    }
}
