import Basics
import Funnels

/// A sentence about a result: who differs and by how much, or that nothing can be shown.
public struct ReportFinding: Sendable, Hashable {
    /// Which question gave it.
    enum Origin: String, Sendable, Hashable { case groups, compare, trend, alert, why }

    /// A text from data with which the sentence begins: whom it is about. `nil` where ``words`` is the whole sentence.
    public let subject: String?
    /// The rest of the sentence, with its full stop. It holds no data but the labels of marks.
    public let words: String
    /// Whether it says that something differs; else that nothing can be shown.
    public let isDifference: Bool
    /// What the sentence says, for programs; `nil` if it claims nothing.
    let claim: Claim?
    let origin: Origin

    init(_ words: String, of subject: String? = nil, _ claim: Claim? = nil, from origin: Origin) {
        (self.words, self.subject, isDifference) = (words, claim?.isNamed == true ? subject : nil, claim?.holds ?? false)
        (self.claim, self.origin) = (claim, origin)
    }

    /// The sentence with the label in front. A sentence that begins with its subject (``Claim/isNamed``) needs none, and stays as it is.
    func labelled(_ label: String) -> ReportFinding {
        guard let claim, !claim.isNamed else { return self }
        return ReportFinding("\(label): \(words.prefix(1).lowercased())\(words.dropFirst())", claim, from: origin)
    }

    /// Whether it says that fewer convert: the only news that is marked as a loss.
    var isLoss: Bool { isDifference && (claim.map { $0.kind == .fell || $0.kind == .less } ?? false) }

    /// How many conversions more or fewer it makes: of several findings the heaviest matters most.
    var weight: Double { claim.map { $0.holds ? $0.weight : 0 } ?? 0 }
}

/// One of the findings that matter most in a document, and the section that it stands in.
struct ReportMatter {
    let finding: ReportFinding
    /// The index of the section, and what it is called.
    let section: Int
    let title: String

    /// The heaviest findings that hold, at most three.
    static func all(of sections: [ReportSection]) -> [ReportMatter] {
        let matters = sections.enumerated().flatMap { index, section in
            section.findings.filter { $0.weight > 0 }.map { ReportMatter(finding: $0, section: index, title: section.title) }
        }
        return Array(matters.sorted { $0.finding.weight > $1.finding.weight }.prefix(3))
    }

    var json: JSONObject {
        let claim = finding.claim.map { $0.json(sentence: (finding.subject.map { $0 + " " } ?? "") + finding.words) } ?? [:]
        return claim + ["funnel": title, "from": finding.origin.rawValue]
    }
}
