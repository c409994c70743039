struct Logger { func warning(_ text: String) {} }
let logger = Logger()
