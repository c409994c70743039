extension Dictionary {
    /// The value under the key; where there is none, `defaultValue` is called and its result put there.
    ///
    /// - Complexity: O(1) on average.
    public mutating func getOrPut(_ key: Key, defaultValue: @autoclosure () -> Value) -> Value {
        self[key, orPut: defaultValue()]
    }

    /// The same as a subscript.
    public subscript(_ key: Key, orPut value: @autoclosure () -> Value) -> Value {
        mutating get {
            if let present = self[key] { return present }
            let new = value()
            self[key] = new
            return new
        }
    }

    /// The value of a key that is known to be there.
    ///
    /// Taken as an optional it is `nil` for a key that is not; taken as a value that is a programming error.
    public subscript(unwrapping key: Key) -> Value! { self[key] }
}
