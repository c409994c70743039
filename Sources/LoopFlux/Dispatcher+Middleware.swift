extension Dispatcher {
    /// Puts a middleware before all others. It sees the next action, also when a handler adds it.
    public func add(_ middleware: DispatchMiddleware) { self.middleware.append(middleware) }

    /// Removes a middleware. An action that is under way still passes through it. One that was not added is ignored.
    public func remove(_ middleware: DispatchMiddleware) { self.middleware.removeAll { $0.id === middleware.id } }
}
