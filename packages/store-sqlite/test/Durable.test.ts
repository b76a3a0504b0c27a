/** A store that was just made survives a power cut with what was acknowledged, and with every name on the way to it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { bundled } from "../../../test/bundle.ts"
import * as DurableFiles from "../../../test/durableFiles.ts"
import { requires } from "../../../test/requirements.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const strace = requires("linux", "strace")
const program = await bundled(new URL("programs/openTree.ts", import.meta.url))

describe.skipIf(strace.skip)(`A new store${strace.suffix}`, { timeout: 60_000 }, () => {
  it.live(
    "is on the disk, with the directories that it was made in, before it is used, and its first commit before it returns",
    () =>
      Effect.gen(function* () {
        const base = yield* temporaryDirectory
        const calls = DurableFiles.trace(join(base, "logs"), [program, join(base, "new", "home"), "tree-a"])
        const used = calls.findIndex(({ paths }) => paths.some((path) => path.endsWith("/bough.db-wal")))
        assert.isTrue(calls.slice(0, used).some(({ name, paths }) => name === "link" && paths[1].endsWith("/bough.db")))
        assert.deepStrictEqual(DurableFiles.undurable(join(base, "new"), calls.slice(0, used)), [])
        const committed = DurableFiles.untilPrinted(calls, "opened")
        assert.isTrue(committed.some(({ name, paths }) => name === "pwrite64" && paths[0].endsWith("/bough.db-wal")))
        assert.deepStrictEqual(DurableFiles.undurable(join(base, "new"), committed), [])
      })
  )
})
