import Basics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Glibc)
import CGlibc
#endif

/// One `URLSession` that follows no redirect, answers no challenge but those of TLS, and keeps nothing of a body.
///
/// Tasks have a delegate and no completion handler: with a handler, FoundationNetworking itself follows redirects, and with an empty body.
final class HTTPTransport: Sendable {
    private let session: URLSession
    private let delegate = Delegate()

    init(_ configuration: URLSessionConfiguration) {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        configuration.timeoutIntervalForRequest = max(configuration.timeoutIntervalForRequest, HTTPDestination.idleTimeout)
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.httpShouldSetCookies = false
        // One segment at a time.
        configuration.httpMaximumConnectionsPerHost = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    func close() { session.invalidateAndCancel() }

    /// - Returns: the answer, and how many bytes of the body had left by then.
    func upload(_ segment: SealedSegment, _ request: URLRequest) async throws -> (HTTPURLResponse, Int64) {
        let file = URL(fileURLWithPath: segment.path)
        #if canImport(Darwin)
        let task = session.uploadTask(with: request, fromFile: file)
        #else
        // Not from the file: FoundationNetworking traps when a server resets such an upload, and sends a stream without its length.
        let data = try Data(contentsOf: file, options: .alwaysMapped)
        guard Int64(data.count) == segment.bytes else { throw UploadError.changed(path: segment.path) }
        let task = session.uploadTask(with: Self.alone(request), from: data)
        // glibc would keep FoundationNetworking's copy of the body for the next one, in the arena of any thread.
        #if canImport(Glibc)
        defer { malloc_trim(0) }
        #endif
        #endif
        return try await delegate.run(task)
    }

    func ask(_ request: URLRequest) async throws -> (HTTPURLResponse, Int64) {
        try await delegate.run(session.dataTask(with: Self.alone(request)))
    }

    /// On Linux a request after which the server closes the connection.
    ///
    /// Where a connection breaks that was used before, FoundationNetworking (Swift 6.3) makes the request again by itself, with the length
    /// of the body and without the body. The server waits for it, and a core is busy, until the idle timeout.
    private static func alone(_ request: URLRequest) -> URLRequest {
        #if canImport(Darwin)
        return request
        #else
        var request = request
        request.setValue("close", forHTTPHeaderField: "Connection")
        return request
        #endif
    }
}

private final class Delegate: NSObject, URLSessionDataDelegate {
    /// Where the end of each request goes. A background session may also report tasks of an earlier process, whose segments are sent again.
    private let ends = Lock<[Int: AsyncThrowingStream<(HTTPURLResponse, Int64), any Error>.Continuation]>([:])

    func run(_ task: URLSessionTask) async throws -> (HTTPURLResponse, Int64) {
        let (answers, end) = AsyncThrowingStream.makeStream(of: (HTTPURLResponse, Int64).self)
        ends.withLock { $0[task.taskIdentifier] = end }
        // A task of its own, which nobody cancels: the end of a request that is called back is waited for, too.
        let first = Task {
            for try await answer in answers { return answer }
            throw CancellationError()
        }
        return try await withTaskCancellationHandler {
            // A task that is cancelled may end before it is begun.
            if ends.withLock({ $0[task.taskIdentifier] != nil }) { task.resume() }
            return try await first.value
        } onCancel: {
            task.cancel()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        // The uploader's headers say who it is; a second request by the system would have no body. FoundationNetworking cancels a request
        // whose challenge is rejected, and does not go on after a challenge that it is to handle by itself.
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodDefault:
            completionHandler(.rejectProtectionSpace, nil)
        default: completionHandler(.performDefaultHandling, nil)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let response = task.response as? HTTPURLResponse
        let error = error.map { $0 as NSError }
        let result: Result<(HTTPURLResponse, Int64), any Error> =
            if let error, response?.statusCode != 401 || error.code != NSURLErrorCancelled {
                .failure(UploadError.transport("\(error.localizedDescription) (\(error.domain) \(error.code))"))
            } else if let response {
                .success((response, task.countOfBytesSent))
            } else {
                .failure(UploadError.transport("no answer of HTTP"))
            }
        ends.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.yield(with: result)
    }
}
