import Foundation
import Testing
import TrackingEvents

/// Compares the scanner with Foundation's parser, on fixed lines that are changed at random.
@Suite struct ScannerAgainstFoundationTests {
    /// Whether a line is good by the rules of ``EventLineScanner``, as Foundation parses it; `nil` where Foundation departs from RFC 8259.
    /// Of duplicate keys Foundation keeps any, so callers leave such lines out.
    private func expected(_ bytes: [UInt8]) -> Bool? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        guard bytes.first != 0xEF else { return false }
        // Foundation takes a comma before a closing brace or bracket, which RFC 8259 does not.
        let dense = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let closing = [UInt8(ascii: "}"), UInt8(ascii: "]")]
        if zip(dense, dense.dropFirst()).contains(where: { $0 == UInt8(ascii: ",") && closing.contains($1) }) { return nil }
        let parsed: Any
        do {
            parsed = try JSONSerialization.jsonObject(with: Data(bytes))
        } catch {
            // Foundation refuses halves of surrogate pairs, which RFC 8259 allows, and numbers beyond doubles.
            let text = String(decoding: bytes, as: UTF8.self)
            return text.contains("\\u") || text.contains("\\U") || text.contains(where: { $0 == "e" || $0 == "E" }) && text.contains("9999")
                ? nil : false
        }
        guard let object = parsed as? [String: Any] else { return false }
        func isWhole(_ value: Any?, from low: Double) -> Bool {
            guard let number = value as? NSNumber, CFBooleanCheck.isNumber(number) else { return false }
            return number.doubleValue.rounded() == number.doubleValue && abs(number.doubleValue) <= 0x1p53 && number.doubleValue >= low
        }
        func isTextOrMissing(_ key: String) -> Bool { object[key] == nil || object[key] is NSNull || object[key] is String }
        if let version = object["v"], !(version is NSNull) {
            guard isWhole(version, from: -0x1p53), (version as? NSNumber)?.doubleValue ?? 2 <= 1 else { return false }
        }
        guard isWhole(object["t_ms"], from: -0x1p53), let name = object["name"] as? String, !name.isEmpty else { return false }
        guard ["user", "session", "id", "system"].allSatisfy(isTextOrMissing) else { return false }
        if let sequence = object["seq"], !(sequence is NSNull), !isWhole(sequence, from: 1) { return false }
        if let type = object["type"], !(type is NSNull) {
            guard let type = type as? String, ["track", "meta", "timing"].contains(type) else { return false }
        }
        if let properties = object["props"], !(properties is NSNull), !(properties is [String: Any]) { return false }
        return true
    }

    private enum CFBooleanCheck {
        /// Foundation gives numbers and truths both as `NSNumber`.
        static func isNumber(_ value: NSNumber) -> Bool {
            value !== (true as NSNumber) && value !== (false as NSNumber) && value.objCType.pointee != 0x63
        }
    }

    private static let seeds: [String] = [
        #"{"v":1,"t_ms":1767225600006,"name":"cart_added","user":"u17","session":"s9","seq":17,"id":"0193","props":{"sku":"A1","price":9.5}}"#,
        #"{"v":1,"t_ms":1767225600006,"name":"dropped","id":"0193","type":"meta","props":{"count":3,"sessions":{"a":[1,2,{}]}}}"#,
        #"{"name":"a b","t_ms":1.5e3,"props":{"x":"}{\"\\","y":-0.5e-3,"z":[true,false,null]},"extra":{"deep":[[[]]]},"user":null}"#,
        #" { "t_ms" : 5 , "name" : "\u00e9\n" , "seq" : 1.0 , "type" : "track" } "#,
        #"{"t_ms":5,"name":"é😀","user":"","system":"x","id":"i","props":{}}"#,
    ]

    private func mutated(_ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(Self.seeds.randomElement(using: &random)!.utf8)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "1", "-", ".", "e", "5", "null", "true", " ", "\t", "\u{0}", "\u{7F}", "é",
            "\\n", "\"a\":1,",
            "{}", "[]", "\"\"",
        ]
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(contentsOf: Array(pieces.randomElement(using: &random)!.utf8), at: place)
            case 2: bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
            case 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: bytes.replaceSubrange(place..<min(place + 3, bytes.count), with: Array(pieces.randomElement(using: &random)!.utf8))
            }
        }
        return bytes
    }

    /// The number of inputs. `LOOPTRAIL_SCANNER_INPUTS=1000000 swift test --filter ScannerAgainst` makes a longer run.
    private static let inputs = ProcessInfo.processInfo.environment["LOOPTRAIL_SCANNER_INPUTS"].flatMap { Int($0) } ?? 5_000

    @Test func `a whole line is good exactly if Foundation's parser agrees`() {
        var random = SeededRandom(seed: 20_260_101)
        var (good, bad, open) = (0, 0, 0)
        for _ in 0..<Self.inputs {
            let bytes = mutated(&random)
            let scanned = ScannedLine.of(bytes, .wholeLine)
            guard let expected = expected(bytes) else {
                open += 1
                continue
            }
            let isGood = if case .success = scanned { true } else { false }
            if isGood { good += 1 } else { bad += 1 }
            if isGood != expected, !hasDuplicateKeys(bytes) {
                Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(scanned), expected \(expected)")
            }
        }
        #expect(good > Self.inputs / 10 && bad > Self.inputs / 10 && open < Self.inputs / 5)
    }

    @Test func `the fast path and the strict parser read the same head`() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<Self.inputs {
            let bytes = mutated(&random)
            let whole = ScannedLine.of(bytes, .wholeLine)
            let head = ScannedLine.of(bytes, .head)
            // Only faults in `props` and in UTF-8 may be found by the strict parser alone.
            if case .success(let line) = whole { #expect(head == .success(line), "\(String(decoding: bytes, as: UTF8.self))") }
        }
    }

    private func hasDuplicateKeys(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { line in
            var cursor = JSONCursor(line)
            cursor.skipWhiteSpace()
            var keys: [String] = []
            try? cursor.forEachEntry { key, _ in keys.append(key.string(in: line)) }
            return Set(keys).count < keys.count
        }
    }
}
