extension CheckResult {
    /// The last segment of each writer among some files; others are left out.
    static func lastSegments(among paths: [String]) -> [LastSegment] {
        var last: [String: (number: Int64, segment: LastSegment)] = [:]
        for path in paths {
            guard let (name, state) = SegmentName.parse(FilePath(path).name), name.contents == .events, state == .open || state == .sealed
            else { continue }
            let writer = "\(name.stem)-\(name.writer)"
            if let known = last[writer], known.number >= name.number { continue }
            last[writer] = (name.number, LastSegment(writer: writer, path: path, isOpen: state == .open))
        }
        return last.values.map(\.segment).sorted { $0.writer < $1.writer }
    }
}
