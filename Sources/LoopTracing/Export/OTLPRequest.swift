import Basics

struct OTLPResource: Sendable, Hashable {
    /// The attribute `service.name`, and others by the semantic conventions.
    let service: String
    let attributes: [String: String]

    /// An export request as one line, its line feed included: one resource with one scope, this library, and its `Metrics` or `Spans`.
    func line(_ signal: String, _ items: [JSONObject]) -> String {
        let others = attributes.filter { $0.key != "service.name" }.sorted { $0.key < $1.key }
        let scopes: [JSONObject] = [["scope": ["name": "looptrail"] as JSONObject, signal.lowercased(): items]]
        let resource = OTLP.attributes([("service.name", service)] + others)
        let resources: [JSONObject] = [["resource": resource, "scope\(signal)": scopes]]
        var json = JSONWriter(capacity: 4096)
        (["resource\(signal)": resources] as JSONObject).write(to: &json)
        json.endLine()
        return json.text
    }
}

/// Values as the protocol's JSON has them (OTLP specification, "JSON Protobuf Encoding").
enum OTLP {
    /// A finite number, with `.0` where it is whole.
    struct Seconds: JSONWritable {
        let nanoseconds: UInt64

        func write(to writer: inout JSONWriter) { writer.value { JSONText.append(Double(nanoseconds) / 1e9, to: $0) } }
    }

    static func attributes(_ attributes: [SpanAttribute]) -> JSONObject {
        ["attributes": attributes.map { ["key": $0.key, "value": value($0.value)] as JSONObject }]
    }

    static func attributes(_ attributes: [(String, String)]) -> JSONObject {
        self.attributes(attributes.map { SpanAttribute(key: $0, value: .string($1)) })
    }

    /// 64-bit numbers are strings, because JSON numbers may not hold 64 bits.
    private static func value(_ value: SpanAttribute.Value) -> JSONObject {
        switch value {
        case .string(let text): ["stringValue": text]
        case .int(let number): ["intValue": String(number)]
        case .bool(let truth): ["boolValue": truth]
        }
    }
}
