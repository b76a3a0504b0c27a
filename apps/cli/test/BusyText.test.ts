/** The message for a session that is open in another process. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import { toCliFailure } from "../src/Failures.ts"

const busy = (freeInMillis: number | null) =>
  toCliFailure(
    new SessionStore.TreeBusy({
      treeId: Session.SessionId.make("ses_1"),
      owner: "process 12 on alder",
      freeInMillis
    })
  )

describe("a session that is open in another process", () => {
  it("names the owning process, and the command that sends it a message", () => {
    const { hint, message } = busy(null)
    assert.strictEqual(message, "session ses_1 is open in another process (process 12 on alder)")
    assert.match(hint, /^"bough send ses_1 TEXT" sends it a message; or end that process, or work on a copy/)
  })

  it("says when a session becomes free if its owner cannot be examined, and what to do then", () => {
    const { hint, message } = busy(13_200)
    assert.match(message ?? "", /cannot be seen from here; if it has ended, the session is free in 14 s$/)
    assert.match(hint, /^retry after that time, or work on a copy/)
    assert.match(busy(1).message ?? "", /free in 1 s$/)
  })
})
