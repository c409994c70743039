extension Dispatcher {
    /// Puts a middleware before all others. It sees the next action, also when added from inside a handler.
    public func add(_ middleware: DispatchMiddleware) { self.middleware.append(middleware) }

    /// Takes a middleware away. An action that is on its way goes through it still. One that was not added is no error.
    public func remove(_ middleware: DispatchMiddleware) {
        if let index = self.middleware.firstIndex(where: { $0.isSame(as: middleware) }) { self.middleware.remove(at: index) }
    }

    /// Adds a service behind the others.
    public func register(_ service: Service) { services.append(service) }

    /// Takes a service away. It is not called again, not even for the action that is being told. One that is not registered is no
    /// error.
    public func unregister(_ service: Service) {
        if let index = services.firstIndex(where: { $0.isSame(as: service) }) { services.remove(at: index) }
    }

    func isRegistered(_ service: Service) -> Bool { services.contains { $0.isSame(as: service) } }
}
