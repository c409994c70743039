/// The types of Thrift's compact protocol (thrift.apache.org, `thrift-compact-protocol.md`), which numbers them in this order.
enum ThriftType: UInt8 { case yes = 1, no, byte, int16, int32, int64, double, binary, list, set, map, structure }
