import Basics

/// A kind of export request, by the keys of its JSON.
struct OTLPSignal {
    let resources: StaticString
    let scopes: StaticString
    let items: StaticString

    static let metrics = OTLPSignal(resources: "resourceMetrics", scopes: "scopeMetrics", items: "metrics")
    static let traces = OTLPSignal(resources: "resourceSpans", scopes: "scopeSpans", items: "spans")
}

/// The source of telemetry, in OpenTelemetry's terms.
struct OTLPResource: Sendable, Hashable {
    /// The attribute `service.name`.
    let service: String
    /// Other attributes, by the semantic conventions: `service.version`, `deployment.environment.name`.
    let attributes: [String: String]
}

extension JSONWriter {
    /// A 64-bit number as text, because JSON numbers may not hold 64 bits (OTLP specification, "JSON Protobuf Encoding").
    mutating func wide(_ number: UInt64) { string(String(number)) }

    mutating func member(_ name: StaticString, wide number: UInt64) { member(name, String(number)) }

    mutating func member(_ name: StaticString, double number: Double) {
        key(name)
        double(number)
    }

    /// A finite number, with `.0` where it is whole.
    mutating func double(_ number: Double) { value { JSONText.append(number.isFinite ? number : 0, to: $0) } }

    /// An export request as one line, its line feed included: one resource with one scope, this library, and its items.
    static func line<Item>(
        of signal: OTLPSignal, from resource: OTLPResource, _ items: some Sequence<Item>, _ write: (inout JSONWriter, Item) -> Void
    ) -> String {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.array(signal.resources, CollectionOfOne(())) { json, _ in
                json.object { json in
                    json.object("resource") { json in
                        let others = resource.attributes.filter { $0.key != "service.name" }.sorted { $0.key < $1.key }
                        json.attributes([("service.name", resource.service)] + others)
                    }
                    json.array(signal.scopes, CollectionOfOne(())) { json, _ in
                        json.object { json in
                            json.object("scope") { json in
                                json.member("name", "looptrail")
                            }
                            json.array(signal.items, items, write)
                        }
                    }
                }
            }
        }
        json.endLine()
        return json.text
    }
}
