/// A middleware's functions while it is attached to a loop.
@usableFromInline
package final class AttachedMiddleware<State, Event> {
    @usableFromInline package let handle: Middleware<State, Event>.Handler
    let watcher: Middleware<State, Event>.Watcher
    // Unchecked, because it is read at each step and is only a `Bool`.
    @exclusivity(unchecked) @usableFromInline package var isActive = true
    @usableFromInline let wantsMiddlewareTime: Bool
    let id: Middleware<State, Event>.ID
    let needs: MiddlewareNeeds

    init(_ middleware: Middleware<State, Event>, to loop: LoopInfo) {
        watcher = middleware.makeWatcher(for: loop)
        handle = watcher.step
        wantsMiddlewareTime = middleware.needs.contains(.middlewareTime)
        id = middleware.id
        needs = middleware.needs
    }
}
