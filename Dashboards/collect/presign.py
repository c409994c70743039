#!/usr/bin/env python3
"""An address for one request of one device, by boto3: what a service behind `HTTPDestination(addresses:)` answers.

    presign.py looptrail-collect PUT events-1a2b3c4d5e6f7081-0000000001.ndjson.gz
"""

import re
import sys
from typing import Any

# The names that a writer gives its segments, and nothing else: a device must not choose another place.
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}-([0-9a-f]{8}|[0-9a-f]{16})-[0-9]{10}\.ndjson\.gz(\.parquet)?")


def presign(s3: Any, bucket: str, method: str, name: str, folder: str = "in/", seconds: int = 900) -> str | None:
    """The address; `None` for what no device may ask for."""
    if method not in ("PUT", "HEAD") or not NAME.fullmatch(name):
        return None
    place = {"Bucket": bucket, "Key": folder + name}
    if method == "HEAD":
        return s3.generate_presigned_url("head_object", Params=place, ExpiresIn=seconds)
    # The condition is signed: without the header, the signature is wrong.
    return s3.generate_presigned_url("put_object", Params={**place, "IfNoneMatch": "*"}, ExpiresIn=seconds)


if __name__ == "__main__":
    import boto3
    from botocore.config import Config

    print(presign(boto3.client("s3", config=Config(signature_version="s3v4")), *sys.argv[1:4]) or sys.exit("no such request or name"))
