public import Foundation
import TrackingEvents

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A server that takes files by HTTP `PUT`: nginx, Apache, an object store, or your own.
///
/// ```swift
/// let destination = HTTPDestination(URL(string: "https://collect.example.org/in/")!, headers: { ["Authorization": "Bearer \(await token())"] })
/// ```
/// **The request** is `PUT <base><segment name>` with the bytes of the file. Its headers are `Content-Type: application/gzip` (for a
/// summary `application/vnd.apache.parquet`), `Content-Length`, `If-None-Match: *`, against replacing, and `Repr-Digest` (RFC 9530).
///
/// **The answer.** 2xx is done. 412 is done if `HEAD` gives the same length, or that of a file whose events were forgotten. Another length
/// is ``UploadError/conflict(name:bytes:there:)``. If `HEAD` is answered 403, 405, 501, or 2xx without a length, the segment is kept as
/// ``UploadAnswer/unconfirmed(_:)``: give `HEAD` an address of its own. 307 and 308 to the same scheme, host and port are followed, at most
/// 5 times for a segment. Other redirects are refused, and no header ever goes to another origin. After 401 and 403 the headers are asked
/// for once more. Any 4xx to `PUT` but 401, 403, 408, 409, 412, 425 and 429 is refused. All else, failed connections too, is tried again.
///
/// **Use https.** It keeps events and tokens from others, and a network's sign-in page cannot answer in the server's place. A user in
/// the address, and headers with a token (`Authorization`, `Proxy-Authorization`, `Cookie`), go over plain http to this machine alone, unless
/// `allowsPlainHTTP` is set; on Linux not even there if the environment has a proxy (`http_proxy`) and `no_proxy` does not name the host.
///
/// **On Linux** each request has a connection of its own, and asks the server to close it. While it waits for the answer,
/// FoundationNetworking (Swift 6.3) keeps about one core busy. It ends the process if a server closes the connection in good order *inside
/// the head* of the answer. No server of `Dashboards/collect` does that, even when restarted or killed, and recorded events are safe on the
/// disk. To send to anybody's server, give ``SegmentUploader`` an ``UploadDestination`` over another HTTP client.
public final class HTTPDestination: UploadDestination {
    /// Gives the headers of one request. Called before each, and once more after 401 and 403.
    public typealias Headers = @Sendable () async throws -> [String: String]
    /// Gives the address of one request; `nil` where there is none, such as for a `HEAD` that was not signed.
    public typealias Addresses = @Sendable (_ method: UploadMethod, _ name: String) async throws -> URL?

    /// The shortest idle timeout of a connection, in seconds.
    public static let idleTimeout: TimeInterval = 60

    private let addresses: Addresses
    private let headers: Headers
    private let allowsPlainHTTP: Bool
    private let transport: HTTPTransport

    /// A server that takes each segment under a base address.
    ///
    /// - Parameters:
    ///   - base: the address before the segment's name; one without a query gets a `/` at its end. With a base that is neither `https` nor
    ///     `http`, every segment is refused with ``UploadError/badAddress(_:)``.
    ///   - session: the configuration of the connections. On Apple systems set `allowsExpensiveNetworkAccess` and
    ///     `allowsConstrainedNetworkAccess` here. Not a background one, which follows redirects by itself: ``UploadHandover`` is for that. An
    ///     idle timeout below a minute becomes a minute; caches, cookies and stored credentials are not used.
    ///   - allowsPlainHTTP: whether a token may go over plain http to another machine.
    ///   - headers: gives the headers of every request beside the uploader's own, such as `Authorization`.
    public convenience init(
        _ base: URL, session: URLSessionConfiguration = .ephemeral, allowsPlainHTTP: Bool = false, headers: @escaping Headers = { [:] }
    ) {
        let text = base.absoluteString
        let start = base.query(percentEncoded: true) == nil && !text.hasSuffix("/") ? text + "/" : text
        self.init(addresses: { _, name in URL(string: start + name) }, session: session, allowsPlainHTTP: allowsPlainHTTP, headers: headers)
    }

    /// A server whose address is text; throws ``UploadError/badAddress(_:)`` for an address that no segment can be sent to.
    public convenience init(
        address: String, session: URLSessionConfiguration = .ephemeral, allowsPlainHTTP: Bool = false, headers: @escaping Headers = { [:] }
    ) throws(UploadError) {
        guard let base = URL(string: address), base.isForUpload else { throw .badAddress(address) }
        self.init(base, session: session, allowsPlainHTTP: allowsPlainHTTP, headers: headers)
    }

    /// A server with an address for each request, such as a presigned one.
    public init(
        addresses: @escaping Addresses, session: URLSessionConfiguration = .ephemeral, allowsPlainHTTP: Bool = false,
        headers: @escaping Headers = { [:] }
    ) {
        (self.addresses, self.allowsPlainHTTP, self.headers) = (addresses, allowsPlainHTTP, headers)
        transport = HTTPTransport(session)
    }

    deinit { transport.close() }

    public func upload(_ segment: SealedSegment) async throws -> UploadAnswer {
        var exchange = HTTPExchange(name: segment.name, bytes: segment.bytes)
        var step = exchange.first
        while true {
            switch step {
            case .done(let answer): return answer
            case .request(let method, let redirected):
                guard let url = try await address(method, segment, redirected) else {
                    step = exchange.hasNoAddress()
                    continue
                }
                let request: URLRequest
                do {
                    request = try await self.request(method, url, segment)
                } catch let error as UploadError {
                    if case .headers = error { throw error }
                    return .refused(error)
                }
                step = exchange.answered(try await send(request, method, segment), from: url)
            }
        }
    }

    /// The request that puts a segment at its address, without the body.
    func request(for segment: SealedSegment) async throws -> URLRequest {
        guard let url = try await address(.put, segment, nil) else { throw UploadError.noAddress(for: segment.name) }
        return try await request(.put, url, segment)
    }

    private func request(_ method: UploadMethod, _ url: URL, _ segment: SealedSegment) async throws -> URLRequest {
        guard url.isForUpload else { throw UploadError.badAddress(url.absoluteString) }
        var request = URLRequest(url: url)
        for (name, value) in try await asking(headers) { request.setValue(value, forHTTPHeaderField: name) }
        let tokens = ["Authorization", "Proxy-Authorization", "Cookie"]
        let hasToken = url.user != nil || tokens.contains { request.value(forHTTPHeaderField: $0) != nil }
        if url.isPlain(), !allowsPlainHTTP, hasToken { throw UploadError.unencrypted(url.absoluteString) }
        request.httpMethod = method.rawValue
        switch method {
        case .put:
            let type = segment.name.hasSuffix(".parquet") ? "application/vnd.apache.parquet" : "application/gzip"
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            request.setValue(String(segment.bytes), forHTTPHeaderField: "Content-Length")
            request.setValue("*", forHTTPHeaderField: "If-None-Match")
            request.setValue("sha-256=:\(Data(segment.sha256).base64EncodedString()):", forHTTPHeaderField: "Repr-Digest")
        // A server that compresses the answer would not give the length of the file.
        case .head: request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        return request
    }

    private func address(_ method: UploadMethod, _ segment: SealedSegment, _ redirected: URL?) async throws -> URL? {
        if let redirected { redirected } else { try await asking { try await addresses(method, segment.name) } }
    }

    private func asking<Result>(_ closure: () async throws -> Result) async throws(UploadError) -> Result {
        do { return try await closure() } catch { throw .headers("\(error)") }
    }

    private func send(_ request: URLRequest, _ method: UploadMethod, _ segment: SealedSegment) async throws -> HTTPReply {
        let (response, sentBytes) = try await method == .put ? transport.upload(segment, request) : transport.ask(request)
        func value(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
        return HTTPReply(
            status: response.statusCode, length: value("Content-Length").flatMap { Int64($0) },
            retryAfter: value("Retry-After").flatMap { RetryAfter.parse($0, now: WallClock.system.milliseconds) },
            location: value("Location"), sentBytes: sentBytes)
    }
}
