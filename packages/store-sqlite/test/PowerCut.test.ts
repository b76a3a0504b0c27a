/** A power cut: the file system stops and loses everything that was not synced, including the file's name. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Disks from "../../../test/disks.ts"
import { requires } from "../../../test/requirements.ts"
import { someOf, thorough } from "../../../test/thorough.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import { crashText } from "./crashText.ts"

const root = requires("linux", "root")

describe.skipIf(root.skip)(`a power cut${root.suffix}`, () => {
  const cuts = [
    { durability: "Full", acknowledged: 3 },
    { durability: "Full", acknowledged: 150 },
    { durability: "Alternating", acknowledged: 150 },
    { durability: "Relaxed", acknowledged: 150 }
  ] as const

  for (const { acknowledged, durability } of someOf(cuts, 1)) {
    it.live(
      `after ${acknowledged} ${durability} commits leaves a prefix, with all acknowledged Full ones`,
      (test) =>
        Effect.gen(function* () {
          const drive = yield* Disks.cuttable(null)
          if (drive === null) return test.skip("needs the right to mount, and python3")
          const home = join(drive.mounted, "home")
          const child = yield* Child.start("appendForever", [home, durability, "1000000"])
          for (let count = 0; count < acknowledged; count++) yield* child.line
          yield* Disks.cut(drive, child.pid)
          const rest = yield* Child.lines(child)
          const heard = acknowledged + rest.filter((line) => line.startsWith("acknowledged")).length
          // SQLite reports a page that it cannot read as an input error or, if it was half read, as damage.
          assert.match(rest.at(-1) ?? "", /^failed again StoreFailed the (disk failed|session store is damaged)/)
          // A copy: another process may still hold the file system that was cut.
          const after = yield* Disks.cuttable(drive.image)
          if (after === null) return assert.fail("the disk did not come back")
          const entries = yield* Effect.provide(
            Effect.flatMap(SessionStore.SessionStore, (store) =>
              store.entries(Session.SessionId.make("crash"), 0, 100_000)
            ),
            SessionStoreSql.layer({ directory: join(after.mounted, "home") })
          )
          // Alternating: entries at odd positions were Full, and included the Relaxed ones before them.
          const promised = { Full: heard, Alternating: heard - (heard % 2), Relaxed: 0 }[durability]
          assert.isAtLeast(entries.length, promised)
          entries.forEach(({ body }, seq) =>
            assert.strictEqual(body._tag === "UserMessage" ? body.text : "", seq === 0 ? "" : crashText(seq))
          )
        }),
      thorough
    )
  }
})
