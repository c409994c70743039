/// A growing array whose elements stay where they are: growing copies nothing and leaves no memory behind.
struct ChunkedArray<Element: BitwiseCopyable>: ~Copyable {
    /// A chunk has 2⁹ elements: 8 KiB of fingerprints or 28 KiB of runs, so that little memory is ever unused.
    private static var chunkBits: Int { 9 }
    private static var chunkCapacity: Int { 1 << chunkBits }

    private var chunks: [UnsafeMutablePointer<Element>] = []
    /// Where the next element goes, and how many fit there.
    private var tail: UnsafeMutablePointer<Element>?
    private var tailLeft = 0
    private(set) var count = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    @inline(__always)
    mutating func append(_ element: Element) {
        if tailLeft == 0 { addChunk() }
        tail?.initialize(to: element)
        tail? += 1
        tailLeft &-= 1
        count &+= 1
    }

    subscript(index: Int) -> Element {
        @inline(__always) get { pointer(to: index).pointee }
        @inline(__always) _modify { yield &pointer(to: index).pointee }
    }

    /// Passes all elements in their order, a chunk of them at a time, until `body` returns `true`; says whether it did.
    func anyChunk(_ body: (UnsafeBufferPointer<Element>) -> Bool) -> Bool {
        for (number, chunk) in chunks.enumerated() {
            let elements = UnsafeBufferPointer(start: chunk, count: min(Self.chunkCapacity, count - number * Self.chunkCapacity))
            if body(elements) { return true }
        }
        return false
    }

    func forEach(_ body: (Element) -> Void) {
        _ = anyChunk {
            for element in $0 { body(element) }
            return false
        }
    }

    @inline(__always)
    private func pointer(to index: Int) -> UnsafeMutablePointer<Element> {
        chunks[index &>> Self.chunkBits] + (index & (Self.chunkCapacity &- 1))
    }

    private mutating func addChunk() {
        let chunk = UnsafeMutablePointer<Element>.allocate(capacity: Self.chunkCapacity)
        chunks.append(chunk)
        (tail, tailLeft) = (chunk, Self.chunkCapacity)
    }
}
