/// A middleware's functions while it is attached to a loop.
@usableFromInline
package final class AttachedMiddleware<State, Event> {
    @usableFromInline package let handle: Middleware<State, Event>.Handler
    let watcher: Middleware<State, Event>.Watcher
    // Unchecked, because it is read at each step and is only a `Bool`.
    @exclusivity(unchecked) @usableFromInline package var isActive = true
    let id: Middleware<State, Event>.ID
    @usableFromInline let needs: MiddlewareNeeds

    init(_ middleware: Middleware<State, Event>, to loop: LoopInfo) {
        watcher = middleware.makeWatcher(for: loop)
        handle = watcher.step
        id = middleware.id
        needs = middleware.needs
    }
}
