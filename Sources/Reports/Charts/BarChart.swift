/// Quantities compared: one bar each, the longest as long as the picture is wide.
public struct BarChart: Sendable, Hashable {
    /// One bar.
    public struct Row: Sendable, Hashable {
        /// From data.
        public let name: String
        /// 0 or more.
        public let value: Double
        /// The value as it is written beside the bar, words of ours.
        public let text: String

        public init(name: String, value: Double, text: String) {
            self.name = name
            self.value = value
            self.text = text
        }
    }

    public let rows: [Row]
    /// The value of a bar as long as the picture is wide; `nil` for the largest one.
    public let full: Double?
    /// What is to be known of the scale, words of ours, below the bars: that they do not reach to 100%.
    public let note: String?

    public init(rows: [Row], full: Double? = nil, note: String? = nil) {
        self.rows = rows
        self.full = full
        self.note = note
    }

    /// What a bar's value is divided by to get its length; never 0.
    var scale: Double {
        let largest = full ?? rows.map(\.value).max() ?? 0
        return largest > 0 ? largest : 1
    }
}
