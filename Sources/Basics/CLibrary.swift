// The C library under one name: whoever imports `Basics` has its calls. Nothing of it reaches a user: no product re-exports `Basics`.
#if canImport(Darwin)
@_exported public import Darwin
#elseif canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#endif
