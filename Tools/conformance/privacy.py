#!/usr/bin/env python3
"""Compares each privacy manifest with the calls of its module for which Apple requires a reason, and with what events hold.

A module's calls are its own and those of the modules without a manifest that it imports, because they are linked with it. Calls that are
compiled for Linux alone do not count. A call without its category in the manifest fails. So does a category without a call, because an app
would declare what it does not do.
"""
import plistlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
CALLS = {
    "FileTimestamp": r"l?stat|fstat|fstatat|f?getattrlist|getattrlistat|getattrlistbulk|creationDate|modificationDate|fileModificationDate"
    r"|contentModificationDateKey|creationDateKey",
    "SystemBootTime": r"systemUptime|mach_absolute_time",
    "DiskSpace": r"f?statv?fs|volumeAvailableCapacity\w*Key|volumeTotalCapacityKey|systemFreeSize|systemSize",
    "ActiveKeyboards": r"activeInputModes",
    "UserDefaults": r"UserDefaults",
}


def code(text):
    """The lines that are compiled for Apple systems, without comments and without the contents of strings."""
    kept, blocks = [], []
    for line in text.splitlines():
        word = line.strip()
        if word.startswith("#if"):
            blocks.append("os(Linux)" in word and "||" not in word and "!os(Linux)" not in word)
        elif word.startswith(("#else", "#elseif")) and blocks:
            blocks[-1] = False
        elif word.startswith("#endif") and blocks:
            blocks.pop()
        elif not any(blocks):
            kept.append(re.sub(r'"(\\.|[^"\\])*"', '""', line).split("//")[0])
    return "\n".join(kept)


def categories(texts):
    return {name for name, calls in CALLS.items() if any(re.search(rf"\b({calls})\b", text) for text in texts)}


def imports(module, seen):
    for file in (ROOT / "Sources" / module).rglob("*.swift"):
        for name in re.findall(r"^(?:public |package |internal )?import (\w+)", file.read_text(), re.M):
            if (ROOT / "Sources" / name).is_dir() and name not in seen:
                seen.add(name)
                imports(name, seen)
    return seen


def problems(module, manifest, texts):
    declared = {entry["NSPrivacyAccessedAPIType"].removeprefix("NSPrivacyAccessedAPICategory"): entry["NSPrivacyAccessedAPITypeReasons"]
                for entry in manifest["NSPrivacyAccessedAPITypes"]}
    used = categories(texts)
    for name in sorted(used - set(declared)):
        yield f"{module} uses what Apple wants a reason for, and its PrivacyInfo.xcprivacy has no category {name}."
    for name in sorted(set(declared) - used):
        yield f"{module}'s PrivacyInfo.xcprivacy declares {name}, and nothing uses it."
    if declared.get("FileTimestamp", ["C617.1"]) != ["C617.1"]:
        yield f"{module}: the reason for file timestamps is C617.1, files in the app's own containers."
    collected = {entry["NSPrivacyCollectedDataType"].removeprefix("NSPrivacyCollectedDataType") for entry in manifest["NSPrivacyCollectedDataTypes"]}
    if collected != {"ProductInteraction", "UserID"}:
        yield f"{module} records what a user does and the user's id, and its PrivacyInfo.xcprivacy declares {sorted(collected)}."
    if manifest["NSPrivacyTracking"] or manifest["NSPrivacyTrackingDomains"]:
        yield f"{module}: the package tracks nobody across apps."


def main():
    found = []
    manifests = {path.parent.name: path for path in (ROOT / "Sources").glob("*/PrivacyInfo.xcprivacy")}
    if set(manifests) != {"EventFiles", "LoopTracking"}:
        found.append(f"manifests are in {sorted(manifests)}")
    for module, path in sorted(manifests.items()):
        manifest = plistlib.loads(path.read_bytes())
        modules = {module} | {name for name in imports(module, set()) if name not in manifests}
        texts = [code(file.read_text()) for name in sorted(modules) for file in sorted((ROOT / "Sources" / name).rglob("*.swift"))]
        found += problems(module, manifest, texts)
        # Faults that the check must find: otherwise it might pass because it finds nothing.
        for name, call in [("DiskSpace", "fstatfs(file, &status)"), ("SystemBootTime", "ProcessInfo.processInfo.systemUptime"),
                           ("UserDefaults", "UserDefaults.standard")]:
            if not any(name in text for text in problems(module, manifest, texts + [call])):
                found.append(f"{call} in {module} would not be found")
        if not any("declares" in text for text in problems(module, manifest, ["let a = 1"])):
            found.append("a category without a call would not be found")
        linux = code("#if os(Linux)\nfstatfs(file, &status)\n#endif")
        if any(problems(module, manifest, texts + [linux])):
            found.append("a call that is compiled for Linux alone would be found")
        print(f"{module}: {sorted(categories(texts))} in {', '.join(sorted(modules))}")
    for text in found:
        print(text, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
