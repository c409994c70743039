import LoopLogFiles

enum Shop {
    @MainActor static func makeSystem() -> System<ShopState, ShopEvent> { system }
}
