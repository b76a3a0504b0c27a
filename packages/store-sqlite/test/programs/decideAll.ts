/**
 * Prints `ready`, waits for a line, then decides every approval and prints the ids that it decided first. Arguments:
 * directory, tree, Approved or Denied, approval ids.
 */
import { type Approval, Inbox, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { SessionStoreSql } from "../../src/index.ts"

const [directory, tree, kind, ...ids] = process.argv.slice(2)
const decision: Approval.Decision =
  kind === "Approved" ? { _tag: "Approved", rule: null } : { _tag: "Denied", words: null }

const program = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  writeSync(1, "ready\n")
  yield* Effect.callback<void>((resume) => void process.stdin.once("data", () => resume(Effect.void)))
  for (const id of ids) {
    const approvalId = Session.ApprovalId.make(id)
    const approval = { approvalId, sessionPath: [Session.SessionId.make(tree)] }
    const { inserted } = yield* store.submit(Inbox.toDecisionRow(approval, { decision, principal: kind }))
    if (inserted) writeSync(1, `${id}\n`)
  }
  process.stdin.destroy()
})

Effect.runFork(Effect.provide(program, SessionStoreSql.layer({ directory })))
