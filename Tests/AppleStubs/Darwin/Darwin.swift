@_exported public import CDarwin

// What Swift's overlay of Darwin adds, mostly because Swift cannot import macros and C functions with a variable number of arguments.
public var errno: Int32 {
    get { __error().pointee }
    set { __error().pointee = newValue }
}

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
public func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { 0 }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }

public func floor<Number: FloatingPoint>(_ number: Number) -> Number { number.rounded(.down) }
public func ceil<Number: FloatingPoint>(_ number: Number) -> Number { number.rounded(.up) }
public func sqrt<Number: FloatingPoint>(_ number: Number) -> Number { number.squareRoot() }

/// The logarithm of the gamma function and its sign, as Swift's overlay has it.
public func lgamma(_ number: Double) -> (Double, Int) {
    var sign: Int32 = 0
    let value = lgamma_r(number, &sign)
    return (value, Int(sign))
}
