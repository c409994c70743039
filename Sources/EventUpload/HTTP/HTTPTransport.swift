import Basics
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Glibc)
import CGlibc
#endif

/// One `URLSession` that follows no redirect, rejects the challenges of HTTP Basic and Digest, and keeps nothing of a body.
///
/// Tasks have a delegate and no completion handler: with a handler, FoundationNetworking follows redirects itself, with an empty body.
final class HTTPTransport: Sendable {
    private let session: URLSession
    private let delegate = Delegate()
    private let answerLimit: Duration

    /// - Parameter answerLimit: how long an answer may take once the request has left; `nil` for the idle timeout.
    init(_ configuration: URLSessionConfiguration, answerLimit: Duration? = nil) {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        configuration.timeoutIntervalForRequest = max(configuration.timeoutIntervalForRequest, HTTPDestination.idleTimeout)
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.httpShouldSetCookies = false
        // One segment at a time.
        configuration.httpMaximumConnectionsPerHost = 1
        #if !canImport(Darwin)
        // When a connection that was used before breaks, FoundationNetworking (Swift 6.3) repeats the request by itself, with the length of
        // the body and without the body. The server waits for the body, and a core is busy, until the idle timeout.
        configuration.httpAdditionalHeaders = (configuration.httpAdditionalHeaders ?? [:]).merging(["Connection": "close"]) { $1 }
        #endif
        self.answerLimit = answerLimit ?? .seconds(min(configuration.timeoutIntervalForRequest, 86_400))
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    func close() { session.invalidateAndCancel() }

    /// - Returns: the answer, and how many bytes of the body were sent before it came.
    func upload(_ segment: SealedSegment, _ request: URLRequest) async throws -> (HTTPURLResponse, Int64) {
        let file = URL(fileURLWithPath: segment.path)
        #if canImport(Darwin)
        let task = session.uploadTask(with: request, fromFile: file)
        #else
        // Not from the file: FoundationNetworking traps when a server resets such an upload. Not as a stream: it would send no length.
        let data = try Data(contentsOf: file, options: .alwaysMapped)
        guard Int64(data.count) == segment.bytes else { throw UploadError.changed(path: segment.path) }
        let task = session.uploadTask(with: request, from: data)
        // Otherwise glibc keeps the memory of FoundationNetworking's copy of the body, in the arena of whichever thread made it.
        #if canImport(Glibc)
        defer { malloc_trim(0) }
        #endif
        #endif
        return try await delegate.run(task, answerLimit)
    }

    func ask(_ request: URLRequest) async throws -> (HTTPURLResponse, Int64) {
        try await delegate.run(session.dataTask(with: request), answerLimit)
    }
}

private final class Delegate: NSObject, URLSessionDataDelegate {
    private let ends = Lock<[Int: CheckedContinuation<(HTTPURLResponse, Int64), any Error>]>([:])

    func run(_ task: URLSessionTask, _ answerLimit: Duration) async throws -> (HTTPURLResponse, Int64) {
        #if !canImport(Darwin)
        let watching = Task { try await watch(task, answerLimit) }
        defer { watching.cancel() }
        #endif
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { end in
                ends.withLock { $0[task.taskIdentifier] = end }
                // A task that was cancelled may have ended before anybody waited for that.
                if Task.isCancelled { self.end(task, .failure(CancellationError())) } else { task.resume() }
            }
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends a request whose answer goes on and on. FoundationNetworking tells of an answer only when its head has ended, and of a redirect
    /// when its body has. Each byte before that puts off the idle timeout.
    private func watch(_ task: URLSessionTask, _ answerLimit: Duration) async throws {
        var sent: Int64 = -1
        while task.countOfBytesSent > sent {
            sent = task.countOfBytesSent
            try await Task.sleep(for: answerLimit)
        }
        end(task, .failure(UploadError.transport("no whole answer came in time")))
        task.cancel()
    }

    private func end(_ task: URLSessionTask, _ result: Result<(HTTPURLResponse, Int64), any Error>) {
        ends.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.resume(with: result)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        // The uploader's headers say who it is, and a second request by the system would have no body. FoundationNetworking cancels a
        // request whose challenge is rejected. If it has to handle the challenge itself, it never goes on.
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodDefault:
            completionHandler(.rejectProtectionSpace, nil)
        default: completionHandler(.performDefaultHandling, nil)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        // The answer is known. Whoever waited for the end of its body might wait for ever, and all other segments with it.
        urlSession(session, task: dataTask, didCompleteWithError: nil)
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let response = task.response as? HTTPURLResponse
        let error = error.map { $0 as NSError }
        if let error, response?.statusCode != 401 || error.code != NSURLErrorCancelled {
            end(task, .failure(UploadError.transport("\(error.localizedDescription) (\(error.domain) \(error.code))")))
        } else if let response, session.configuration.identifier == nil || task.currentRequest?.url == task.originalRequest?.url {
            end(task, .success((response, task.countOfBytesSent)))
        } else {
            end(task, .failure(UploadError.transport("no answer of HTTP, or one to a redirect that a background session followed")))
        }
    }
}
