/// A value that is dispatched to whoever subscribed to its type: something happened, or something is to be done.
///
/// Any value type will do; the protocol requires nothing. Actions are distinguished by their type and not by its name: two types called
/// `Loaded`, in different scopes or modules, are two.
/// ```swift
/// struct ProductLoaded: Action { let product: Product }
/// ```
public protocol Action {}
