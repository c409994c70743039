#!/usr/bin/env python3
"""Redux DevTools' own reducer imports the file that the page of `looptrail inspect` writes for it, and jumps to each of 5,000 steps.

    git clone https://github.com/reduxjs/redux-devtools DEVTOOLS && git clone https://github.com/reduxjs/redux REDUX
    swift build -c release --product looptrail
    REDUX_DEVTOOLS=DEVTOOLS REDUX=REDUX Tools/conformance/redux_devtools.py

Run it by hand: this repository has no source of Redux DevTools. Needs esbuild and Chromium (Debian: `apt-get install esbuild chromium`).
"""

import json
import os
import pathlib
import random
import subprocess
import tempfile

from browser import Browser
from harness import Checks, Looptrail, arguments, tool
from inspect_page import ask, opened, session

# Imports the file as the DevTools' application does, with the states in the file, and as an app does, whose reducer makes the states again.
# Each import yields the steps at which the store has another state than the page.
PROGRAM = """
(() => {
  const text = looptrail.redux(0, LAST);
  const wanted = Array.from({ length: LAST + 1 }, (_, n) => JSON.stringify(looptrail.state(n)));
  const made = () => devtools.createStore((state = null, action) => action.n === undefined ? state : looptrail.state(action.n), devtools.instrument());
  const wrong = { imported: [], recomputed: [], actions: [] };
  for (const [key, isFinal] of [["imported", true], ["recomputed", false]]) {
    const store = made();
    store.liftedStore.dispatch(devtools.ActionCreators.importState(JSON.parse(text), isFinal));
    for (let n = 0; n <= LAST; n++) {
      store.liftedStore.dispatch(devtools.ActionCreators.jumpToState(n));
      if (JSON.stringify(store.getState()) !== wanted[n]) wrong[key].push(n);
    }
    for (let id = LAST; id >= 0; id--) {
      store.liftedStore.dispatch(devtools.ActionCreators.jumpToAction(id));
      const lifted = store.liftedStore.getState(), action = lifted.actionsById[lifted.stagedActionIds[id]].action;
      if (lifted.currentStateIndex !== id || JSON.stringify(store.getState()) !== wanted[id]) wrong[key].push(id);
      if (id > 0 && action.n !== id) wrong.actions.push(id);
    }
    // The app's next action comes after the imported ones.
    store.dispatch({ type: "later" });
    if (store.liftedStore.getState().nextActionId !== LAST + 2) wrong[key].push(LAST + 1);
  }
  return wrong;
})()
"""


def bundle(devtools: str, redux: str, scratch: str) -> str:
    """Bundles both sources into one script, which defines a global variable `devtools`."""
    instrument = pathlib.Path(devtools) / "packages/redux-devtools-instrument/src/instrument.ts"
    entry = pathlib.Path(scratch) / "entry.ts"
    entry.write_text(
        f'export {{ instrument, ActionCreators }} from {json.dumps(str(instrument.resolve()))}\nexport {{ createStore }} from "redux"\n')
    done = subprocess.run(
        [
            "esbuild", str(entry), "--bundle", "--format=iife", "--global-name=devtools", "--log-level=error",
            f"--alias:redux={pathlib.Path(redux).resolve() / 'src/index.ts'}", '--define:process.env.NODE_ENV="production"',
        ],
        check=True, capture_output=True, text=True)
    return done.stdout


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--steps", type=int, default=5_000)
    options = parser.parse_args()
    checks, dice = Checks(options.allow_missing), random.Random(options.seed)
    sources = [os.environ.get(name) for name in ("REDUX_DEVTOOLS", "REDUX")]
    program = Browser.find()
    for name, found in (("Chromium", program), ("esbuild", tool("esbuild")), ("REDUX_DEVTOOLS", sources[0]), ("REDUX", sources[1])):
        if not found:
            checks.missing(name, "see the head of this script")
    if checks.failed or not all(sources):
        checks.close()
    with tempfile.TemporaryDirectory() as scratch, Browser(program) as browser:
        lines, states = session(dice, options.steps)
        recording, path = os.path.join(scratch, "recording.ndjson"), os.path.join(scratch, "inspect.html")
        with open(recording, "w") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        Looptrail(options.binary).run("inspect", recording, "-o", path)
        page = opened(browser, path)
        # First compares the states of the page with those of the recording.
        found = ask(page, f"Array.from({{ length: {len(states)} }}, (_, n) => looptrail.state(n))")
        checks.that("the page has the states of the recording", found == states)
        page.value(bundle(*sources, scratch))
        wrong = ask(page, PROGRAM.replace("LAST", str(options.steps)))
        for key, steps in wrong.items():
            checks.equal(f"{key}: wrong ones of {options.steps} steps", steps, [])
        page.close()
    checks.close()


if __name__ == "__main__":
    main()
