/// A growing array whose elements stay where they are: growing copies nothing and leaves no memory behind.
struct ChunkedArray<Element: BitwiseCopyable>: ~Copyable {
    /// Elements of a chunk, as a power of two: a few kilobytes at a time, so that little is ever unused.
    private static var chunkBits: Int { 9 }
    private static var chunkCapacity: Int { 1 << chunkBits }

    private var chunks: [UnsafeMutablePointer<Element>] = []
    /// Where the next one goes, and how many fit behind it.
    private var tail: UnsafeMutablePointer<Element>?
    private var tailLeft = 0
    private(set) var count = 0

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if tailLeft == 0 { addChunk() }
        tail?.initialize(to: element)
        tail? += 1
        tailLeft &-= 1
        count &+= 1
    }

    /// - Precondition: the place is below ``count``.
    subscript(place: Int) -> Element {
        @inline(__always) get { pointer(to: place).pointee }
        @inline(__always) _modify { yield &pointer(to: place).pointee }
    }

    /// Calls `body` with all elements, a chunk of them at a time, in their order.
    func forEachChunk(_ body: (UnsafeBufferPointer<Element>) -> Void) {
        for (number, chunk) in chunks.enumerated() {
            body(UnsafeBufferPointer(start: chunk, count: min(Self.chunkCapacity, count - number * Self.chunkCapacity)))
        }
    }

    /// Calls `body` with each element in their order.
    func forEach(_ body: (Element) -> Void) {
        forEachChunk { for element in $0 { body(element) } }
    }

    @inline(__always)
    private func pointer(to place: Int) -> UnsafeMutablePointer<Element> {
        chunks[place &>> Self.chunkBits] + (place & (Self.chunkCapacity &- 1))
    }

    private mutating func addChunk() {
        let chunk = UnsafeMutablePointer<Element>.allocate(capacity: Self.chunkCapacity)
        chunks.append(chunk)
        (tail, tailLeft) = (chunk, Self.chunkCapacity)
    }
}
