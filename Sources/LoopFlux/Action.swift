/// Something that was done or is to be done, told to whoever subscribed to its type.
///
/// Any value type will do; nothing is required of it. Actions are told apart by the type itself and not by its name: two
/// types that are both called `Loaded`, in different scopes or modules, have nothing to do with each other.
/// ```swift
/// struct ProductLoaded: Action { let product: Product }
/// ```
public protocol Action {}
