package import Foundation

/// The two methods of the requests for a segment: one sends it, one asks for the length of the file that is there.
public enum UploadMethod: String, Sendable, Hashable {
    case put = "PUT"
    case head = "HEAD"
}

package struct HTTPReply: Sendable, Equatable {
    package var status: Int
    /// The header `Content-Length`, and below it `Retry-After` as the time to wait from now.
    package var length: Int64?
    package var retryAfter: Duration?
    package var location: String?
    /// How many bytes of the request's body were sent before the answer came.
    package var sentBytes = Int64.max
}

/// Decides from the answers which requests one segment needs. It has no network and no tasks.
package struct HTTPExchange: Sendable {
    package enum Step: Sendable, Equatable {
        /// - Parameter to: the address of a redirect; `nil` for the destination's own. Each request asks for its headers anew.
        case request(UploadMethod, to: URL?)
        case done(UploadAnswer)
    }

    package static let maxRedirects = 5
    /// The length, in bytes, of a file whose events were forgotten (`looptrail forget`): it holds the end member alone.
    package static let tombstoneBytes: Int64 = 28

    private let name: String
    private let bytes: Int64
    private var method = UploadMethod.put
    private var redirected: URL?
    private var redirects = 0
    private var hasAskedAgain = false

    package init(name: String, bytes: Int64) { (self.name, self.bytes) = (name, bytes) }

    package var first: Step { .request(.put, to: nil) }

    package func hasNoAddress() -> Step { method == .put ? .done(.refused(.noAddress(for: name))) : unconfirmed(nil) }

    package mutating func answered(_ reply: HTTPReply, from url: URL) -> Step {
        switch reply.status {
        case 300..<400: return follow(reply, from: url)
        case 401, 403:
            if hasAskedAgain { return method == .head && reply.status == 403 ? unconfirmed(403) : later(reply) }
            hasAskedAgain = true
            return .request(method, to: redirected)
        default: return method == .put ? put(reply) : head(reply)
        }
    }

    private func later(_ reply: HTTPReply) -> Step { .done(.later(.status(reply.status, name: name), after: reply.retryAfter)) }

    private mutating func put(_ reply: HTTPReply) -> Step {
        switch reply.status {
        case 200..<300 where reply.sentBytes < bytes:
            return .done(.later(.acknowledgedEarly(name: name, sent: reply.sentBytes, of: bytes), after: nil))
        case 200..<300: return .done(.stored)
        case 412:
            (method, hasAskedAgain) = (.head, false)
            return .request(.head, to: redirected)
        case 400..<500 where ![408, 409, 425, 429].contains(reply.status): return .done(.refused(.status(reply.status, name: name)))
        // Also 1xx and numbers that are no status of HTTP: the server is broken, and may work again.
        default: return later(reply)
        }
    }

    private func head(_ reply: HTTPReply) -> Step {
        switch reply.status {
        case 200..<300 where reply.length == bytes || reply.length == Self.tombstoneBytes: return .done(.stored)
        case 200..<300 where reply.length != nil: return .done(.refused(.conflict(name: name, bytes: bytes, there: reply.length)))
        case 200..<300, 405, 501: return unconfirmed(reply.status)
        default: return later(reply)
        }
    }

    /// The server has a file under the name, and does not tell its length.
    private func unconfirmed(_ status: Int?) -> Step { .done(.unconfirmed(.unconfirmed(name: name, status: status))) }

    /// Only 307 and 308 keep method and body, and only the same origin may see the headers.
    private mutating func follow(_ reply: HTTPReply, from url: URL) -> Step {
        redirects += 1
        if reply.status == 307 || reply.status == 308, redirects <= Self.maxRedirects, let location = reply.location,
            let target = URL(string: location, relativeTo: url)?.absoluteURL, target.isSameOrigin(as: url)
        {
            redirected = target
            return .request(method, to: target)
        }
        return .done(.refused(.redirected(status: reply.status, to: reply.location)))
    }
}

extension URL {
    package var isForUpload: Bool {
        guard let scheme = scheme?.lowercased(), scheme == "https" || scheme == "http" else { return false }
        // A name behind a fragment would not be sent.
        return !(host(percentEncoded: true) ?? "").isEmpty && fragment(percentEncoded: true) == nil
    }

    /// Whether somebody between this machine and the address can read what is sent.
    package func isPlain(in environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        guard scheme?.lowercased() == "http" else { return false }
        let host = host(percentEncoded: false)?.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]")) ?? ""
        #if !canImport(Darwin)
        // libcurl asks a proxy even for this machine. It reads `HTTP_PROXY` only in lower case.
        let spared = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split { $0 == "," || $0 == " " }
        let hasProxy = ["http_proxy", "all_proxy", "ALL_PROXY"].contains { environment[$0]?.isEmpty == false }
        if hasProxy, !spared.contains(where: { $0 == "*" || $0 == host }) { return true }
        #endif
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let isLoopback = numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
        return !isLoopback && host != "localhost" && host != "::1"
    }

    /// RFC 6454: scheme, host and port.
    package func isSameOrigin(as other: URL) -> Bool { origin == other.origin }

    private var origin: [String?] {
        let scheme = scheme?.lowercased()
        let usual = scheme == "https" ? 443 : scheme == "http" ? 80 : nil
        return [scheme, host(percentEncoded: true)?.lowercased(), (port ?? usual).map(String.init)]
    }
}
