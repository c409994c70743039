let lines: [String] = []
let coder = RecordingCoder<ShopEvent>(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode(ShopEvent.self, from: Data($0.utf8)) })
let states = RecordingCoder<ShopState>(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode(ShopState.self, from: Data($0.utf8)) })
