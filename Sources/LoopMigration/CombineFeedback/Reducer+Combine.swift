public import LoopCore

extension Reducer {
    /// CombineFeedback's name for ``/LoopCore/Reducer/all(_:)``.
    public static func combine(_ reducers: Reducer...) -> Reducer { all(of: reducers) }
}
