/** Logins at MCP servers in the data directory: two processes refresh one after the other. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ServerLogins from "../../src/session/ServerLogins.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-logins-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const transport = { _tag: "Http", url: "https://tickets.example.com/mcp", headers: {}, protocol: "Any" } as const

describe("ServerLogins", () => {
  it.live("lets one process at a time replace the tokens, and each sees those of the one before", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      let running = 0
      const counted = Effect.gen(function* () {
        // A store of its own, as another process has.
        const store = ServerLogins.make({ dataDirectory }).store({ name: "Tickets", transport })
        const { exclusively } = store
        if (exclusively === undefined) return assert.fail("the store of a program is shared by processes")
        return yield* exclusively(
          Effect.gen(function* () {
            running += 1
            assert.strictEqual(running, 1)
            const before = Number(store.load() ?? "0")
            yield* Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))
            store.save(String(before + 1))
            running -= 1
            return before
          })
        )
      })
      const seen = yield* Effect.all([counted, counted, counted], { concurrency: "unbounded" })
      assert.sameMembers(seen, [0, 1, 2])
    }).pipe(Effect.scoped)
  )
})
