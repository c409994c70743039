import EventUpload
import Foundation
import TrackingEvents

/// A server that takes files by `PUT`, and the way there, on which requests and answers get lost, are late, or come twice.
final class SimulatedNetwork {
    /// What the way is like.
    enum Weather: CaseIterable {
        case fine, bad, none
    }

    private static let url = URL(string: "https://collect.example.org/in/x")!

    private(set) var files: [String: [UInt8]] = [:]
    var weather = Weather.fine
    /// A fault to plant: the server stores what it has under another name.
    var storesTwice = false
    private(set) var lostReplies = 0
    /// Requests that are on their way still, whoever sent them has given up.
    private var late: [(name: String, bytes: [UInt8])] = []
    private var random: SeededRandom

    init(random: SeededRandom) { self.random = random }

    struct Broken: Error {}

    /// Sends a segment as `HTTPDestination` does.
    func send(_ name: String, _ bytes: [UInt8]) throws -> UploadAnswer {
        var exchange = HTTPExchange(name: name, bytes: Int64(bytes.count))
        var step = exchange.first
        while true {
            switch step {
            case .done(let answer): return answer
            case .request(let method, _): step = exchange.answered(try request(method, name, bytes), from: Self.url)
            }
        }
    }

    private func request(_ method: UploadMethod, _ name: String, _ bytes: [UInt8]) throws -> HTTPReply {
        switch weather {
        case .fine: return answer(method, name, bytes)
        case .none: throw Broken()
        case .bad: break
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: throw Broken()
        case 1:
            // It arrives, when nobody waits for it any more.
            if method == .put { late.append((name, bytes)) }
            throw Broken()
        case 2, 3:
            _ = answer(method, name, bytes)
            lostReplies += 1
            throw Broken()
        case 4:
            // It arrives twice.
            if method == .put { late.append((name, bytes)) }
            return answer(method, name, bytes)
        case 5: return HTTPReply(status: 503, retryAfter: .seconds(Int.random(in: 0...600, using: &random)))
        case 6: return HTTPReply(status: [401, 403, 408, 409, 425, 429, 500][Int.random(in: 0..<7, using: &random)])
        case 7:
            _ = answer(method, name, bytes)
            return HTTPReply(status: 502)
        // It answers before it has all: not stored.
        case 8 where method == .put: return HTTPReply(status: 200, sentBytes: Int64(bytes.count) - 1)
        default: return answer(method, name, bytes)
        }
    }

    private func answer(_ method: UploadMethod, _ name: String, _ bytes: [UInt8]) -> HTTPReply {
        switch (method, files[name]) {
        case (.put, nil):
            files[name] = bytes
            return HTTPReply(status: 201)
        case (.put, _) where storesTwice:
            files["again-\(name)"] = bytes
            return HTTPReply(status: 201)
        case (.put, _): return HTTPReply(status: 412)
        case (.head, let there?): return HTTPReply(status: 200, length: Int64(there.count))
        case (.head, nil): return HTTPReply(status: 404)
        }
    }

    /// A request whose sender is gone.
    func leaveOnItsWay(_ name: String, _ bytes: [UInt8]) { late.append((name, bytes)) }

    /// Some of what is late arrives, in any order.
    func deliverLate(all: Bool = false) {
        late.shuffle(using: &random)
        let count = all ? late.count : Int.random(in: 0...late.count, using: &random)
        for (name, bytes) in late.prefix(count) { _ = answer(.put, name, bytes) }
        late.removeFirst(count)
    }
}
