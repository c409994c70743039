import EventFiles
import Foundation
import LoopCore
import LoopLogFiles
import LoopLogging
import Testing
import TrackingEvents

private struct Cart: Codable, Equatable, Sendable {
    var items: [String: Int] = [:]
    var isPaid = false
}

private enum CartEvent: Codable, Sendable { case add(String), pay, ticked }

private enum Shop {
    @MainActor static func makeSystem() -> System<Cart, CartEvent> {
        System(
            initialState: Cart(),
            reducer: { (cart: inout Cart, event: CartEvent) in
                switch event {
                case .add(let sku): cart.items[sku, default: 0] += 1
                case .pay: cart.isPaid = true
                case .ticked: break
                }
            })
    }
}

@MainActor @Suite struct LoopLoggingPage {
    @Test func `Each event has its level, and its line has only what changed`() {
        let system = Shop.makeSystem()
        var lines: [String] = []
        let output = LogOutput.closure { lines.append($0) }

        let levels = LogLevels<Cart, CartEvent>(atLeast: .debug) { step in
            switch step.event {
            case .ticked: .trace
            case .pay: .notice
            default: .info
            }
        }
        system.attach(.log(LogOptions(.changes, except: ["ticked"], levels: levels), to: output))

        for event in [CartEvent.add("a"), .ticked, .add("a"), .pay] { system.send(event, fileID: "Shop/Cart.swift", line: 57) }
        #expect(lines.count == 4)
        #expect(lines[2].hasPrefix(#"[info] #3 Shop/Cart.swift:57 add("a"): items["a"]: 1 → 2 in "#))
        #expect(lines[3].hasPrefix("[notice] #4 Shop/Cart.swift:57 pay: isPaid: false → true in "))
    }

    @Test func `Lines are formatted on a thread and go to compressed files`() async throws {
        let folder = NSTemporaryDirectory() + "looptrail-page-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let system = Shop.makeSystem()

        let files = try LogFileWriter(folder: folder)
        let thread = LogThread(to: .files(files))
        system.attach(.log(LogOptions(.json, clock: .system), on: thread))

        system.send(.add("a"))
        await thread.close()
        try await files.writer.close()
        var lines = 0
        _ = try EventFileReader(paths: [folder + "/log-*.log.gz"]).forEachLine { _ in lines += 1 }
        #expect(lines == 2)
    }
}
