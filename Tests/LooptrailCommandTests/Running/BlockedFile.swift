import Basics
import EventFiles
import Foundation
import TrackingEvents

/// Blocked gzip files for the command to read.
enum BlockedFile {
    /// The bytes of a file with one member for each text, and the end member if it is to be sealed.
    static func bytes(_ texts: [String], isSealed: Bool = true) -> [UInt8] {
        let output = ByteBuffer(capacity: 4096)
        let deflater = BGZFDeflater(level: 6)
        for text in texts {
            var text = text
            text.withUTF8 { deflater.appendMember(of: $0, to: output) }
        }
        if isSealed { output.append(BGZF.endMember) }
        return Array(output.bytes)
    }
}

extension TemporaryFolder {
    /// Makes a file of these bytes.
    @discardableResult
    func file(_ name: String, bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }
}
