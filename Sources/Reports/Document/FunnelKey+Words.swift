import Funnels

extension FunnelKey {
    /// What a key is called where there is room for words of ours only: a property's path is data.
    var words: String {
        if case .property = self { "the property" } else { description }
    }
}
