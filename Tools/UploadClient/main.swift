import EventFiles
import EventUpload
import Foundation
import TrackingEvents

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A device for the conformance scripts: it records, uploads, and prints what it did. It is no product.
//
//   UploadClient record FOLDER URL SESSION EVENTS    records numbered events and uploads meanwhile; prints `flushed N` after a flush
//   UploadClient drain FOLDER URL                    uploads until nothing waits; fails if the server refuses a file
//   UploadClient repeat FOLDER URL COUNT             tries to upload, COUNT times, whatever the server answers
//   UploadClient fill FOLDER SEGMENTS BYTES          writes files under the names of segments, each of so many bytes
//
// The variable TOKEN is the bearer token. URL is a base address, or `sign:URL` of a service that presigns a URL for `?method=…&name=…`.

func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("UploadClient: \(text)\n".utf8))
    exit(1)
}

/// Prints a line at once, without a buffer: the scripts may kill this process at any moment.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

let arguments = CommandLine.arguments.dropFirst().map { String($0) }
let surroundings = ProcessInfo.processInfo.environment
guard arguments.count >= 3 else { fail("read the head of main.swift") }

func destination(_ text: String) throws -> HTTPDestination {
    let headers: HTTPDestination.Headers = { surroundings["TOKEN"].map { ["Authorization": "Bearer \($0)"] } ?? [:] }
    guard text.hasPrefix("sign:") else { return try HTTPDestination(address: text, headers: headers) }
    let signer = text.dropFirst("sign:".count)
    return HTTPDestination(addresses: { method, name in
        let (data, _) = try await URLSession.shared.data(from: URL(string: "\(signer)?method=\(method.rawValue)&name=\(name)")!)
        let address = String(decoding: data, as: UTF8.self)
        return address.isEmpty ? nil : URL(string: address)
    })
}

func report(_ outcome: UploadOutcome) { FileHandle.standardError.write(Data("\(outcome.segment ?? "-"): \(outcome.result)\n".utf8)) }

func event(_ number: Int, of session: String, _ random: inout SeededRandom) -> StampedEvent {
    let now = WallClock.system.milliseconds
    let properties: TrackingProperties = ["number": .int(number), "noise": .string(String(random.next(), radix: 36))]
    return StampedEvent(
        timeMilliseconds: now, event: TrackingEvent("step", properties),
        user: "u-\(session)", session: session, sequence: Int64(number), id: EventID(milliseconds: now, random: &random), kind: .track)
}

func record(_ folder: String, _ destination: HTTPDestination, session: String, events: Int) async throws {
    var options = EventFileWriterOptions.lossless
    options.rotateBytes = 20_000
    options.index = .atSeal
    let writer = try EventFileWriter(folder: folder, options: options)
    let uploader = SegmentUploader(writer, to: destination, sendsSummaries: true, onUpload: report)
    uploader.start()
    var random = SeededRandom()
    for number in 1...events {
        writer.record(event(number, of: session, &random))
        if number % 25 == 0 || number == events {
            try await writer.flush()
            say("flushed \(number)")
        }
    }
    try await writer.rotate()
    _ = try? await uploader.uploadNow()
    await uploader.stop()
    try await writer.close()
}

/// Uploads until nothing waits, however often the server fails. Ends the process if the server refuses a file.
func drain(_ folder: String, _ destination: HTTPDestination) async throws {
    // Recovers what killed processes left in the folder.
    let writer = try EventFileWriter(folder: folder, options: .lossless)
    _ = try await writer.recovered()
    try await writer.close()
    let uploader = SegmentUploader(folder: folder, to: destination, sendsSummaries: true, onUpload: report)
    while true {
        let summary = try await uploader.uploadNow()
        say("sent \(summary.sent) waiting \(summary.waiting) refused \(summary.refused)")
        if summary.refused > 0 { fail("refused: \(summary.error.map { "\($0)" } ?? "before")") }
        if summary.waiting == 0 { return }
        try await Task.sleep(for: .milliseconds(50))
    }
}

/// The peak memory of this process so far, in KiB, as Linux counts it.
func peakMemory() -> String {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map { $0.filter(\.isNumber) } ?? "0"
}

do {
    let folder = arguments[1]
    switch arguments[0] {
    case "record" where arguments.count == 5:
        try await record(folder, destination(arguments[2]), session: arguments[3], events: Int(arguments[4]) ?? 0)
    case "drain": try await drain(folder, destination(arguments[2]))
    case "repeat" where arguments.count == 4:
        let uploader = SegmentUploader(folder: folder, to: try destination(arguments[2]), onUpload: report)
        for _ in 0..<(Int(arguments[3]) ?? 0) { _ = try await uploader.uploadNow() }
        say("waiting \(uploader.statistics.waiting)")
    case "fill" where arguments.count == 4:
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var random = SeededRandom(seed: 1)
        for number in 1...(Int(arguments[2]) ?? 0) {
            var bytes = Data(capacity: Int(arguments[3]) ?? 0)
            while bytes.count < Int(arguments[3]) ?? 0 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
            let digits = String(number)
            let name = "events-00000000000000aa-\(String(repeating: "0", count: 10 - digits.count))\(digits).ndjson.gz"
            try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
    default: fail("no such errand: \(arguments.joined(separator: " "))")
    }
    say("peak \(peakMemory())")
} catch {
    fail("\(error)")
}
