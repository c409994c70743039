import Funnels

extension Invocation {
    /// Tells which names occur nowhere, and what they were perhaps meant to be.
    func warn(of unseen: [UnseenName]) {
        for unseen in unseen {
            let nearest = unseen.nearest.map { ": did you mean `\($0)`?" } ?? ""
            console.warning("no event is named `\(unseen.name)`\(nearest)")
        }
    }
}
