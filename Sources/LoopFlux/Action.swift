/// A value that is dispatched to whoever subscribed to its type: something happened, or something is to be done.
///
/// Any value type will do. Actions are told apart by their type, not its name: two types called `Loaded`, in different scopes, are two.
/// ```swift
/// struct ProductLoaded: Action { let product: Product }
/// ```
public protocol Action {}
