/**
 * A process that works on a chain of sessions. It prints its writes and the approvals that it requests, and kills
 * itself with SIGKILL at its n-th write to the journal, just before or just after that is durable. With `at` 0 it is
 * not killed.
 */
import type { Batch, Inbox } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { type Chain, workOn } from "./chain.ts"
import type { Fact, When } from "./facts.ts"

const order = JSON.parse(process.argv[2]) as Chain & { readonly at: number; readonly when: When }

const say = (fact: Fact) => writeSync(1, `${JSON.stringify(fact)}\n`)

let writes = 0

const killed = Effect.andThen(
  Effect.sync(() => process.kill(process.pid, "SIGKILL")),
  Effect.never
)

const counted = <A, E>(name: string, write: Effect.Effect<A, E>, durable: () => void): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    writes += 1
    say({ _tag: "Writes", name })
    const isLast = writes === order.at
    if (isLast && order.when === "before") return killed
    const written = Effect.tap(write, () => Effect.sync(durable))
    return isLast ? Effect.andThen(written, killed) : written
  })

const levels = new Map<string, number>()

/** Kinds of entries, session by session; a write of inbox rows alone has the rows' names. */
const nameOf = ({ entries, projections }: Batch.Batch): string => {
  if (entries.length === 0) return projections.map(({ _tag }) => `row ${_tag}`).join(", ")
  const kinds = new Map<string, Array<string>>()
  for (const { body, sessionId } of entries) {
    if (body._tag === "SessionOpened") levels.set(sessionId, body.terms?.parentPath.length ?? 0)
    kinds.set(sessionId, [...(kinds.get(sessionId) ?? []), body._tag])
  }
  return Array.from(kinds, ([sessionId, tags]) => `${levels.get(sessionId)}: ${tags.join(", ")}`).join("; ")
}

const decided = ({ command }: Inbox.Submission) => {
  if (command._tag === "DecideApproval") say({ _tag: "Decided", approvalId: command.approvalId })
}

const counting = (store: SessionStore.SessionStore["Service"]): typeof store => ({
  ...store,
  commit: (batch) => counted(nameOf(batch), store.commit(batch), () => undefined),
  submit: (submission) =>
    counted(`inbox: ${submission.command._tag}`, store.submit(submission), () => decided(submission))
})

await Effect.runPromise(
  workOn(order, ({ approvalId }) => say({ _tag: "Asked", approvalId })).pipe(
    Effect.updateService(SessionStore.SessionStore, counting),
    Effect.provide(SessionStoreSql.layer({ directory: order.home }))
  )
)
