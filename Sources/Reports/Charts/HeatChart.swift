/// Shares in rows and columns, the larger the stronger: who came back, by cohort and time.
public struct HeatChart: Sendable, Hashable {
    /// One row.
    public struct Row: Sendable, Hashable {
        /// Words of ours: `2026-01-15`.
        public let label: String
        /// What the row's shares are of.
        public let count: Int
        /// 0…1; `nil` where nothing is known yet.
        public let shares: [Double?]

        public init(label: String, count: Int, shares: [Double?]) {
            self.label = label
            self.count = count
            self.shares = shares
        }
    }

    /// What stands above each column, words of ours.
    public let columns: [String]
    /// Each with as many shares as there are columns.
    public let rows: [Row]

    public init(columns: [String], rows: [Row]) {
        precondition(rows.allSatisfy { $0.shares.count == columns.count }, "a row has a share for each column")
        self.columns = columns
        self.rows = rows
    }
}
