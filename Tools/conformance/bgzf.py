"""Reads blocked gzip by the letter of the SAM specification §4.1, independently of the product's own reader."""

import struct
import zlib


def members(data):
    """Yields (offset, raw bytes) of each whole and sound member. Stops at a member that the end of the data cuts.

    Any other fault raises ValueError with the offset.
    """
    offset = 0
    while offset < len(data):
        rest = data[offset:]
        if len(rest) < 18:
            return
        if rest[:4] != b"\x1f\x8b\x08\x04" or rest[10:16] != b"\x06\x00BC\x02\x00":
            raise ValueError(f"no member at byte {offset}")
        size = struct.unpack_from("<H", rest, 16)[0] + 1
        if len(rest) < size:
            return
        member = rest[:size]
        crc, length = struct.unpack("<II", member[-8:])
        try:
            raw = zlib.decompress(member[18:-8], wbits=-15)
        except zlib.error as error:
            raise ValueError(f"member at byte {offset}: {error}") from error
        if len(raw) != length or zlib.crc32(raw) != crc:
            raise ValueError(f"member at byte {offset}: CRC or size is wrong")
        if raw and not raw.endswith(b"\n"):
            raise ValueError(f"member at byte {offset}: a line goes beyond it")
        yield offset, raw
        offset += size


END_MEMBER = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
