/**
 * The process that is killed: works in the directory that its arguments name, prints what became durable, and kills
 * itself with SIGKILL at its n-th write to the journal.
 */
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { type TestFolder, withStore, workOn } from "./composition.ts"

const order = JSON.parse(process.argv[2]) as TestFolder & { readonly at: number; readonly when: "before" | "after" }

const say = (fact: object) => writeSync(1, `${JSON.stringify(fact)}\n`)

let writes = 0

const killed = Effect.sync(() => {
  process.kill(process.pid, "SIGKILL")
})

const counted = <A, E>(effect: Effect.Effect<A, E>, acknowledge: (value: A) => void): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    writes += 1
    const dies = writes === order.at
    const written = Effect.tap(effect, (value) => Effect.sync(() => acknowledge(value)))
    if (!dies) return written
    return order.when === "before" ? Effect.andThen(killed, Effect.never) : Effect.tap(written, () => killed)
  })

const wrap = (store: SessionStore.SessionStore["Service"]): typeof store => ({
  ...store,
  commit: (batch) =>
    counted(store.commit(batch), ({ entries }) =>
      say({ durability: batch.durability, digests: entries.map(({ digest }) => digest) })
    ),
  submit: (submission) =>
    counted(store.submit(submission), () => {
      if (submission.command._tag === "DecideApproval") say({ decided: submission.command.approvalId })
    })
})

const watcher = { onApprovalRequested: () => undefined, onEvent: () => undefined }

await Effect.runPromise(withStore(order, wrap, workOn(order, watcher)))
say({ writes })
