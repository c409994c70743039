import Basics

/// Gauges for Prometheus (text exposition format 0.0.4), for node_exporter's text-file collector.
///
/// A document without gauges gives only a comment: the command offers this format only where there are gauges.
public struct PrometheusReport: ReportFormat {
    public init() {}

    public var name: String { "prom" }
    public var fileExtensions: [String] { ["prom"] }

    public func bytes(of document: ReportDocument) -> [UInt8] {
        var exposition = PrometheusExposition()
        // Two samples of one family must not have the same labels, so a name that comes again gets a number.
        var names: Set<[UInt8]> = []
        for gauges in document.results.map(\.gauges) {
            guard let name = gauges.first.map({ TerminalText.visible($0.subject) }) else { continue }
            var (subject, times) = (name, 1)
            while !names.insert(Array(subject.utf8)).inserted {
                times += 1
                subject = "\(name) (\(times))"
            }
            for gauge in gauges {
                let labels = [("funnel", subject)] + gauge.labels.map { ($0.0, TerminalText.visible($0.1)) }
                exposition.begin(gauge.name, "gauge", gauge.help)
                exposition.add(NumberFormat.plain(gauge.value), to: gauge.name, PrometheusExposition.labels(labels))
            }
        }
        let text = exposition.text
        return Array((text.isEmpty ? "# No result here has gauges.\n" : text).utf8)
    }
}

/// A number to watch, of a result that is made again and again.
public struct ReportGauge: Sendable {
    /// What is measured: a valid Prometheus name, with its unit at the end.
    let name: String
    let help: String
    /// The result's name.
    let subject: String
    let value: Double
    var labels: [(String, String)] = []
}
