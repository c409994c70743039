import Basics

/// Gauges for Prometheus (text exposition format 0.0.4), for node_exporter's text-file collector.
///
/// Of a result without gauges only a comment remains: the command offers this format where there are some.
public struct PrometheusReport: ReportFormat {
    public init() {}

    public var name: String { "prom" }
    public var fileExtensions: [String] { ["prom"] }

    public func write(_ document: ReportDocument, to sink: inout ReportSink) {
        // Samples of one family stand together, whichever result they are of, and no two have the same labels.
        var families: [ReportGauge.Family] = []
        var samples: [String: [String]] = [:]
        var names: [String: Int] = [:]
        for result in document.results {
            let gauges = result.gauges
            guard let first = gauges.first else { continue }
            names[first.subject, default: 0] += 1
            let times = names[first.subject] ?? 1
            for gauge in gauges {
                if samples[gauge.family.name] == nil { families.append(gauge.family) }
                let subject = times == 1 ? gauge.subject : "\(gauge.subject) (\(times))"
                let labels = [("funnel", TerminalText.visible(subject))] + gauge.labels.map { ($0.0, TerminalText.visible($0.1)) }
                samples[gauge.family.name, default: []]
                    .append("\(gauge.family.name){\(PrometheusEscaping.labels(labels))} \(Self.number(gauge.value))")
            }
        }
        if families.isEmpty { sink.write("# No result here has gauges.\n") }
        for family in families {
            sink.write("# HELP \(family.name) \(PrometheusEscaping.help(family.help))\n# TYPE \(family.name) gauge\n")
            for sample in samples[family.name] ?? [] { sink.write(sample + "\n") }
        }
    }

    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
        return value.description
    }
}

/// A number to watch, of a result that is made again and again.
public struct ReportGauge: Sendable {
    /// What is measured.
    public struct Family: Sendable, Hashable {
        /// A valid Prometheus name, with its unit at the end.
        public let name: String
        /// One sentence.
        public let help: String

        public init(_ name: String, _ help: String) {
            self.name = name
            self.help = help
        }
    }

    public let family: Family
    /// Which funnel it is of; from data or people.
    public let subject: String
    /// Further labels: valid Prometheus names, and any text.
    public let labels: [(String, String)]
    /// Finite.
    public let value: Double

    public init(_ family: Family, of subject: String, labels: [(String, String)] = [], _ value: Double) {
        self.family = family
        self.subject = subject
        self.labels = labels
        self.value = value
    }
}
