public import EventFiles

/// Why a segment was not sent.
public enum UploadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The text is no address that a segment can be sent to.
    case badAddress(String)
    /// The folder of segments cannot be used.
    case folder(EventFileError)
    /// Another uploader is at work on the folder.
    case busy(folder: String)
    /// The file is not the one that was to be sent: somebody cut or replaced it.
    case changed(path: String)
    /// The server answered with a status that means no success.
    case status(Int, name: String)
    /// The server sent the request elsewhere: to another origin, by a status that drops the body, or too often.
    case redirected(status: Int, to: String?)
    /// The server has another file under the name. `bytes` is the length of our file, `there` that of the server's, if it tells.
    case conflict(name: String, bytes: Int64, there: Int64?)
    /// The server has a file under the name and does not tell its length. `status` is its answer to `HEAD`; `nil` without an address.
    case unconfirmed(name: String, status: Int?)
    /// A token would go over plain http to another machine.
    case unencrypted(String)
    /// The server acknowledged a request before it had all of the body.
    case acknowledgedEarly(name: String, sent: Int64, of: Int64)
    /// The connection failed, or the destination threw.
    case transport(String)
    /// The closure that gives headers or addresses threw, or gave no address for a segment.
    case headers(String)
    /// ``SegmentUploader/stop()`` was called, or the task that waited was cancelled.
    case stopped

    static func noAddress(for name: String) -> UploadError { .headers("it gave no address for \(name)") }

    public var description: String {
        switch self {
        case .badAddress(let text):
            "'\(text)' is no address to upload to: it must begin with https:// or http:// and name a host, as in https://collect.example.org/in/."
        case .folder(let error): "\(error)"
        case .busy(let folder): "Another uploader is at work on \(folder) (it holds the lock of .uploading there). Try again later."
        case .changed(let path): "\(path) changed while it was to be sent. Files under a finished name must be left as they are."
        case .status(let status, let name): "The server answered \(status) to \(name).\(advice(on: status).map { " \($0)" } ?? "")"
        case .redirected(let status, let address):
            "The server answered \(status) and sent the request \(address.map { "to \($0)" } ?? "nowhere"). Only 307 and 308 to the same "
                + "scheme, host and port are followed, at most \(HTTPExchange.maxRedirects) times: give the uploader the final address."
        case .conflict(let name, let bytes, let there):
            "The server has another file under the name \(name) (\(there.map { "\($0) bytes" } ?? "of a length it does not give"), ours has "
                + "\(bytes)). Ours is kept: look at both, and remove the wrong one."
        case .unconfirmed(let name, let status):
            "The server has a file under the name \(name) and does not show how long it is ("
                + (status.map { "it answered \($0) to HEAD" } ?? "no address was given for HEAD")
                + "). Ours is kept: let HEAD be answered with Content-Length, or give an address for it, then start the uploader again."
        case .unencrypted(let address):
            "The headers for \(address) hold a token, and http would show it to everybody on the way. Nothing was sent: use https, or "
                + "pass `allowsPlainHTTP: true`."
        case .acknowledgedEarly(let name, let sent, let bytes):
            "The server acknowledged \(name) after \(sent) of \(bytes) bytes. It is kept and sent again."
        case .transport(let text): "The upload failed: \(text)"
        case .headers(let text): "The destination's closure for headers or addresses failed: \(text)"
        case .stopped: "The uploader was stopped. What was not sent stays in the folder."
        }
    }
}

private func advice(on status: Int) -> String? {
    switch status {
    case 401, 403: "Look at the token in the headers, and at what the server allows."
    case 404: "Look at the address, and whether the folder exists there."
    case 405: "The server takes no PUT at this address."
    case 413: "Raise the server's limit for a body above the size of a segment, or lower `rotateBytes`."
    default: nil
    }
}
