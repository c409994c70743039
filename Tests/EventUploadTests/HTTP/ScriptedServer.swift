import Basics
import Foundation
import TestSupport

/// A server on a port of this machine that reacts to each request as a test says, also in ways that no real server has on demand.
final class ScriptedServer: Sendable {
    /// A request as it came.
    struct Request: Sendable {
        var method = ""
        var path = ""
        /// Names in lower case.
        var headers: [String: String] = [:]
        var body: [UInt8] = []
    }

    enum Reaction: Sendable {
        /// Reads the whole body and answers. The connection goes on unless the request says that it ends.
        case answer(Int, [String: String] = [:])
        /// Reads the whole body and answers with one byte of a longer body.
        case answerWithoutEnd(Int)
        /// Answers before the body is read, and closes.
        case answerEarly(Int)
        /// Reads so many bytes of the body and resets the connection.
        case reset(after: Int)
        /// Reads the whole body and closes without an answer.
        case close
        /// Reads the whole body and says nothing until the client goes.
        case silence
    }

    private let listener: Int32
    let port: UInt16
    private let log = Collected<Request>()
    private let react: @Sendable (Request, _ number: Int) -> Reaction

    var requests: [Request] { log.all }
    func until(requests count: Int) async { await log.until(count: count) }
    var base: URL { URL(string: "http://127.0.0.1:\(port)/in/")! }

    /// - Parameter react: called once the head of a request has come, with the request and its number from 1.
    init(_ react: @escaping @Sendable (Request, _ number: Int) -> Reaction) throws {
        self.react = react
        #if canImport(Darwin)
        listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bound in
                bind(listener, bound, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, bound, &length) == 0
            }
        }
        guard isBound else { throw SystemError.current }
        port = UInt16(bigEndian: address.sin_port)
        _ = try PosixThread { [self] in serve() }
    }

    /// Ends the server. Open connections last until their clients close them.
    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        _ = Foundation.close(listener)
    }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0 { return }
            _ = try? PosixThread { [self] in
                while answerOne(on: connection) {}
                _ = Foundation.close(connection)
            }
        }
    }

    /// - Returns: whether the connection goes on.
    private func answerOne(on connection: Int32) -> Bool {
        var bytes: [UInt8] = []
        var headEnd: Int?
        while headEnd == nil {
            guard read(connection, into: &bytes) else { return false }
            headEnd = bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
        }
        let lines = String(decoding: bytes[..<headEnd!], as: UTF8.self).components(separatedBy: "\r\n")
        var request = Request()
        let words = lines[0].split(separator: " ")
        (request.method, request.path) = (String(words[0]), String(words[1]))
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            request.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        request.body = Array(bytes[(headEnd! + 4)...])
        let length = Int(request.headers["content-length"] ?? "0")!
        let number = log.all.count + 1
        let reaction = react(request, number)
        if request.headers["expect"] != nil {
            if case .answerEarly = reaction {} else { write("HTTP/1.1 100 Continue\r\n\r\n", to: connection) }
        }
        var wanted = length
        if case .reset(let after) = reaction { wanted = min(after, length) }
        if case .answerEarly = reaction { wanted = 0 }
        while request.body.count < wanted { guard read(connection, into: &request.body) else { break } }
        log.add(request)
        switch reaction {
        case .answer(let status, let headers):
            var text = "HTTP/1.1 \(status) X\r\n"
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            if headers["Content-Length"] == nil { text += "Content-Length: 0\r\n" }
            let isLast = request.headers["connection"]?.lowercased() == "close"
            if isLast { text += "Connection: close\r\n" }
            write(text + "\r\n", to: connection)
            return !isLast
        case .answerEarly(let status):
            write("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: connection)
            return false
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            return false
        case .close: return false
        case .answerWithoutEnd(let status):
            write("HTTP/1.1 \(status) X\r\nContent-Length: 100\r\n\r\n.", to: connection)
            while read(connection, into: &request.body) {}
            return false
        case .silence:
            while read(connection, into: &request.body) {}
            return false
        }
    }

    private func read(_ connection: Int32, into bytes: inout [UInt8]) -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &piece, piece.count, 0)
        if count > 0 { bytes += piece[..<count] }
        return count > 0
    }

    private func write(_ text: String, to connection: Int32) { try? DescriptorWriting.writeAll(text, to: connection) }
}
