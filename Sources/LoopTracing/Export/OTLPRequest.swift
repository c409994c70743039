/// What an export request is about, by the keys on the way to it.
struct OTLPSignal {
    let resources: StaticString
    let scopes: StaticString
    let items: StaticString

    static let metrics = OTLPSignal(resources: "resourceMetrics", scopes: "scopeMetrics", items: "metrics")
    static let traces = OTLPSignal(resources: "resourceSpans", scopes: "scopeSpans", items: "spans")
}

extension OTLPWriter {
    /// An export request as one line, its line feed included: one resource with one scope, this library, and what that tells.
    static func line<Item>(
        of signal: OTLPSignal, from resource: OTLPResource, _ items: some Sequence<Item>, _ write: (inout OTLPWriter, Item) -> Void
    ) -> String {
        var json = OTLPWriter()
        json.object { json in
            json.key(signal.resources)
            json.array(CollectionOfOne(())) { json, _ in
                json.object { json in
                    resource.append(to: &json)
                    json.key(signal.scopes)
                    json.array(CollectionOfOne(())) { json, _ in
                        json.object { json in
                            json.key("scope")
                            json.object { json in
                                json.key("name")
                                json.string("looptrail")
                            }
                            json.key(signal.items)
                            json.array(items, write)
                        }
                    }
                }
            }
        }
        json.endLine()
        return json.text
    }
}
