@testable import EventUpload
import Foundation
import TrackingEvents

/// The way to the collector, on which requests and answers get lost, are late, come twice, or are sent elsewhere.
final class SimulatedNetwork {
    /// What the way is like.
    enum Weather {
        case fine, bad, none
    }

    private static let base = URL(string: "https://collect.example.org/in/")!

    let collector: SimulatedCollector
    var weather = Weather.bad
    /// A fault to plant: the client follows any redirect by itself, with an empty body, as FoundationNetworking does.
    var followsRedirects = false
    /// A fault to plant: HEAD states a greater length for a tombstone than it has.
    var hidesTombstones = false
    /// Requests that arrived and whose answers did not.
    private(set) var lostReplies = 0
    /// Answers that sent a request elsewhere.
    private(set) var redirects = 0
    /// Requests that arrived late: repeated ones, and those whose sender had given up.
    private(set) var repeated = 0
    /// What must never happen.
    private(set) var broken: [String] = []
    /// Requests that are still on their way. Their senders have given up, or had them answered once.
    private var late: [(name: String, bytes: [UInt8], device: Int)] = []
    private var random: SeededRandom

    init(_ collector: SimulatedCollector, random: SeededRandom) {
        self.collector = collector
        self.random = random
    }

    struct Broken: Error {}

    private func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Sends a segment as `HTTPDestination` does.
    func send(_ name: String, _ bytes: [UInt8], from device: Int) throws -> UploadAnswer {
        var exchange = HTTPExchange(name: name, bytes: Int64(bytes.count))
        var step = exchange.first
        let own = URL(string: Self.base.absoluteString + name)!
        while true {
            switch step {
            case .done(let answer): return answer
            case .request(let method, let redirected):
                let url = redirected ?? own
                // The collector answers for all its addresses; nobody else may ever be asked.
                if !url.isSameOrigin(as: own) { broken.append("\(name) is sent to \(url)") }
                step = exchange.answered(try request(method, name, bytes, from: device), from: url)
            }
        }
    }

    private func request(_ method: UploadMethod, _ name: String, _ bytes: [UInt8], from device: Int) throws -> HTTPReply {
        switch weather {
        case .fine: return answer(method, name, bytes, device)
        case .none: throw Broken()
        case .bad: break
        }
        switch draw(24) {
        // The request is lost on its way.
        case 0, 1: throw Broken()
        case 2:
            // It arrives when nobody waits for it any more.
            if method == .put { late.append((name, bytes, device)) }
            throw Broken()
        case 3...10:
            _ = answer(method, name, bytes, device)
            lostReplies += 1
            throw Broken()
        case 11, 12:
            // It arrives more than once, in any order with others.
            if method == .put { for _ in 0...draw(2) { late.append((name, bytes, device)) } }
            return answer(method, name, bytes, device)
        case 13: return HTTPReply(status: 503, retryAfter: .seconds(draw(601)))
        case 14: return HTTPReply(status: [401, 403, 408, 409, 425, 429, 500, 413, 404][draw(9)])
        case 15:
            _ = answer(method, name, bytes, device)
            return HTTPReply(status: 502)
        // The server answers before it has the whole body, and stores nothing.
        case 16 where method == .put: return HTTPReply(status: 200, sentBytes: Int64(bytes.count) - 1)
        case 17...19: return redirect(method, name, device)
        default: return answer(method, name, bytes, device)
        }
    }

    private func redirect(_ method: UploadMethod, _ name: String, _ device: Int) -> HTTPReply {
        redirects += 1
        if followsRedirects { return answer(method, name, [], device) }
        let place = [
            "../moved/\(name)", "https://collect.example.org/moved/\(name)", "http://collect.example.org/in/\(name)",
            "//elsewhere.example/\(name)",
        ]
        return HTTPReply(status: [307, 308, 307, 301, 302, 303][draw(6)], location: place[draw(4)])
    }

    private func answer(_ method: UploadMethod, _ name: String, _ bytes: [UInt8], _ device: Int) -> HTTPReply {
        switch method {
        case .put: return HTTPReply(status: collector.store(name, bytes, from: device) ? 201 : 412)
        case .head:
            guard let length = collector.length(of: name) else { return HTTPReply(status: 404) }
            return HTTPReply(status: 200, length: hidesTombstones && length == HTTPExchange.tombstoneBytes ? length + 1 : length)
        }
    }

    /// Leaves a request on its way whose sender is gone.
    func leaveOnItsWay(_ name: String, _ bytes: [UInt8], from device: Int) { late.append((name, bytes, device)) }

    /// Some or all of the late requests arrive, in any order.
    func deliverLate(all: Bool = false) {
        late.shuffle(using: &random)
        let count = all ? late.count : draw(late.count + 1)
        for (name, bytes, device) in late.prefix(count) {
            repeated += 1
            _ = answer(.put, name, bytes, device)
        }
        late.removeFirst(count)
    }
}
