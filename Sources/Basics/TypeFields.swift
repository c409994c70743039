/// A stored field of a struct or a tuple, as the runtime knows it.
///
/// The functions below are those behind `Mirror`, exported since Swift 5.2. They have no public spelling; their contracts are in the Swift
/// repository, in `stdlib/public/core/ReflectionMirror.swift` and `stdlib/public/runtime/ReflectionMirror.cpp`.
package struct TypeField {
    /// The elements of a tuple that have no label are called `.0`, `.1` …
    package let name: String
    /// In bytes from the start of the value.
    package let offset: Int
    package let type: any Any.Type
    package let kind: TypeKind?
    /// Whether the field may be read as a value of its type: not if it is `weak` or `unowned`, or a function, which has another convention.
    package let isReadable: Bool

    /// The fields in the order of their declaration; none for a type whose module was compiled without reflection metadata.
    package static func all(of type: any Any.Type) -> [TypeField] {
        (0..<fieldCount(type)).map { index in
            var found = FieldDescription()
            let fieldType = fieldType(type, index, &found)
            defer { found.free?(found.name) }
            let kind = TypeKind(of: fieldType)
            return TypeField(
                name: found.name.map { String(cString: $0) } ?? "", offset: fieldOffset(type, index), type: fieldType, kind: kind,
                isReadable: found.isStrong && ![.function, .metatype, .opaque].contains(kind))
        }
    }
}

/// What a type is, by the numbers of Swift's stable ABI (`include/swift/ABI/MetadataKind.def` in the Swift repository).
package enum TypeKind: UInt {
    case `struct` = 0x200, `enum` = 0x201, opaque = 0x300, tuple = 0x301, function = 0x302, metatype = 0x304, fixedArray = 0x308

    /// `nil` for all other types.
    package init?(of type: any Any.Type) { self.init(rawValue: metadataKind(type)) }
}

/// `_FieldReflectionMetadata` of the standard library.
private struct FieldDescription {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
}

@_silgen_name("swift_getMetadataKind")
private func metadataKind(_ type: any Any.Type) -> UInt

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: any Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(_ type: any Any.Type, _ index: Int, _ found: UnsafeMutablePointer<FieldDescription>) -> any Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: any Any.Type, _ index: Int) -> Int
