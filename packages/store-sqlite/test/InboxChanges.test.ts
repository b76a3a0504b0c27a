/** Polls of the store for changes of inboxes by other processes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import type * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as InboxChanges from "../src/InboxChanges.ts"

describe("InboxChanges", () => {
  it.effect("notifies at each poll that another process has written before, or that fails, and at no other", () =>
    Effect.gen(function* () {
      let version: number | null = 1
      const failure = new SqlError({ reason: new UnknownError({ cause: "disk I/O error", message: "no" }) })
      const sync = () => Effect.suspend(() => (version === null ? Effect.fail(failure) : Effect.succeed(version)))
      const listeners = yield* InboxChanges.make({ sync } as unknown as SqliteClient.SqliteClient)
      let notifications = 0
      yield* listeners.watch(null, () => void notifications++)
      const after = (next: number | null) =>
        Effect.suspend(() => {
          version = next
          notifications = 0
          return Effect.map(TestClock.adjust(100), () => notifications)
        })
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 2, null, null, 2, 2], after), [0, 1, 0, 1, 1, 1, 0])
    })
  )
})
