import Basics

/// The source of telemetry, in OpenTelemetry's terms.
struct OTLPResource: Sendable, Hashable {
    /// The attribute `service.name`.
    let service: String
    /// Other attributes, by the semantic conventions: `service.version`, `deployment.environment.name`.
    let attributes: [String: String]

    /// Appends the `resource` member.
    func append(to json: inout JSONWriter) {
        json.object("resource") { json in
            json.attributes([("service.name", service)] + attributes.filter { $0.key != "service.name" }.sorted { $0.key < $1.key })
        }
    }
}
