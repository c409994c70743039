/// Decodes a raw deflate stream (RFC 1951) from pieces of any size into rooms of any size.
///
/// Inflating is most of what reading event files costs, and zlib's decoder takes twice as long. This one takes eight bytes of input at
/// once, looks up two literals at a time where their codes are short, looks the next symbol up before it copies a match, and copies
/// 16 bytes at a time. Where less than that is left of the input or the room, a careful decoder goes on that may stop at any bit.
///
/// It accepts and rejects what zlib does, and never reads or writes outside of what it is given, whatever the input.
final class DeflateDecoder {
    enum Status: Equatable {
        /// More input is wanted, or the room is full.
        case more
        /// The stream has ended.
        case ended
        /// This is no deflate stream from here on.
        case damaged
    }

    enum Stage: Equatable {
        case blockHeader
        case storedLength
        case stored(left: Int)
        case counts
        case codeLengths
        case symbols
        case symbolLengths
        case distance(length: Int)
        case match(length: Int, distance: Int)
        case ended
        case damaged
    }

    static let windowBytes = 32 * 1024

    // What the extensions in this folder work on.
    var stage = Stage.blockHeader
    var isLastBlock = false
    var bits: UInt64 = 0
    /// How many of ``bits`` are there; the rest are 0.
    var bitCount = 0
    var input: UnsafePointer<UInt8>
    var inputEnd: UnsafePointer<UInt8>
    var inputStart: UnsafePointer<UInt8>
    var output: UnsafeMutablePointer<UInt8>
    var outputEnd: UnsafeMutablePointer<UInt8>
    var outputStart: UnsafeMutablePointer<UInt8>

    let literals = HuffmanTable(primaryBits: 11, symbols: 288)
    let distances = HuffmanTable(primaryBits: 8, symbols: 32)
    let codeLengths = HuffmanTable(primaryBits: 7, symbols: 19)
    /// The block header's lengths as they come.
    let lengths: UnsafeMutableBufferPointer<UInt8>
    var counts = (literals: 0, distances: 0, codeLengths: 0)
    var lengthsRead = 0
    private var hasFixedTables = false

    /// The last bytes of the stream before the present room, for matches that reach back further.
    private let window: UnsafeMutablePointer<UInt8>
    private(set) var windowCount = 0

    /// Stands for no input and no room.
    private let nothing = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

    init() {
        lengths = .allocate(capacity: 320)
        lengths.initialize(repeating: 0)
        window = .allocate(capacity: Self.windowBytes)
        nothing.initialize(to: 0)
        input = UnsafePointer(nothing)
        inputEnd = input
        inputStart = input
        output = nothing
        outputEnd = nothing
        outputStart = nothing
    }

    deinit {
        literals.deallocate()
        distances.deallocate()
        codeLengths.deallocate()
        lengths.deallocate()
        window.deallocate()
        nothing.deallocate()
    }

    /// Makes ready for another stream.
    func reset() {
        stage = .blockHeader
        isLastBlock = false
        bits = 0
        bitCount = 0
        windowCount = 0
    }

    /// Decodes as much as input and room allow.
    ///
    /// All of the input is taken unless the room is full, the stream ends or it is wrong. At the end of the stream, whole bytes that
    /// were taken too far are given back; those of an earlier call's input are in ``takeLeftover()``.
    func decode(_ source: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> (
        status: Status, consumed: Int, produced: Int
    ) {
        inputStart = source.baseAddress.map { $0.assumingMemoryBound(to: UInt8.self) } ?? UnsafePointer(nothing)
        input = inputStart
        inputEnd = inputStart + source.count
        outputStart = room.baseAddress.map { $0.assumingMemoryBound(to: UInt8.self) } ?? nothing
        output = outputStart
        outputEnd = outputStart + room.count
        run()
        let consumed = input - inputStart
        let produced = output - outputStart
        keepWindow(produced)
        let status: Status = stage == .ended ? .ended : stage == .damaged ? .damaged : .more
        return (status, consumed, produced)
    }

    /// A whole byte that an earlier call took from its input and that is not the stream's; `nil` if there is none (any more).
    func takeLeftover() -> UInt8? {
        guard stage == .ended, bitCount >= 8 else { return nil }
        let byte = UInt8(truncatingIfNeeded: bits)
        drop(8)
        return byte
    }

    private func run() {
        while true {
            switch stage {
            case .blockHeader, .storedLength, .counts, .codeLengths, .symbolLengths:
                if !readHeader() { return }
            case .stored(let left):
                if !copyStored(left) { return }
            case .symbols:
                decodeQuickly()
                if stage == .symbols && !decodeCarefully() { return }
            case .distance, .match:
                if !decodeCarefully() { return }
            case .ended, .damaged: return
            }
        }
    }

    /// Gives whole bytes that are not the stream's back to this call's input.
    func giveBack() {
        drop(bitCount & 7)
        let back = min(bitCount >> 3, input - inputStart)
        input -= back
        bitCount -= back * 8
        bits &= bitCount == 0 ? 0 : UInt64.max >> UInt64(64 - bitCount)
    }

    func useFixedTables() {
        if hasFixedTables { return }
        _ = DeflateSymbols.fixedLengths.withUnsafeBufferPointer {
            literals.build($0, allowsSingle: false) { DeflateSymbols.literalsAndLengths[$0] }
        }
        literals.joinLiterals()
        _ = DeflateSymbols.fixedDistances.withUnsafeBufferPointer {
            distances.build($0, allowsSingle: false) { DeflateSymbols.distances[$0] }
        }
        hasFixedTables = true
    }

    func useOwnTables() { hasFixedTables = false }

    /// Takes bits off.
    @inline(__always)
    func drop(_ count: Int) {
        bits &>>= UInt64(truncatingIfNeeded: count)
        bitCount &-= count
    }

    /// Whether so many bits are there, taken from the input byte by byte where not. 56 at most.
    @inline(__always)
    func has(_ count: Int) -> Bool {
        while bitCount < count {
            if input == inputEnd { return false }
            bits |= UInt64(input.pointee) &<< UInt64(truncatingIfNeeded: bitCount)
            bitCount &+= 8
            input += 1
        }
        return true
    }

    /// How far a match may reach back from the present output.
    var reach: Int { min(output - outputStart + windowCount, Self.windowBytes) }

    /// One byte of the window, counted back from the beginning of the present room, 1 for the last.
    @inline(__always)
    func windowByte(_ back: Int) -> UInt8 { window[windowCount - back] }

    private func keepWindow(_ produced: Int) {
        if produced == 0 { return }
        if produced >= Self.windowBytes {
            window.update(from: output - Self.windowBytes, count: Self.windowBytes)
            windowCount = Self.windowBytes
            return
        }
        let kept = min(windowCount, Self.windowBytes - produced)
        if kept > 0 && kept < windowCount { window.update(from: window + windowCount - kept, count: kept) }
        (window + kept).update(from: outputStart, count: produced)
        windowCount = kept + produced
    }
}
