/** Messages of the user to a child session, and its cancellation. */
import type { Settings } from "@bough/host/config/Settings"
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { principalOf } from "./principalOf.ts"
import type { TuiApp } from "./TuiApp.ts"

export interface ChildMessage {
  readonly sessionId: string
  /** Null: the child should stop. */
  readonly text: string | null
}

/**
 * Puts a message, or a cancellation, into the inbox of the tree. The owner of the tree, which may be this process,
 * takes it from there.
 */
export const send = (
  {
    app,
    settings,
    store
  }: {
    readonly app: TuiApp
    readonly settings: Settings
    readonly store: SessionStore.SessionStore["Service"]
  },
  { sessionId, text }: ChildMessage
) =>
  Effect.gen(function* () {
    const child = yield* store.session(sessionId)
    if (child.state !== "Active" && child.state !== "Suspended") {
      return app.note(text === null ? "the agent has ended" : `the agent has ended; not sent: ${text}`, "error")
    }
    const command =
      text === null
        ? ({ _tag: "CancelSession", sessionId: child.sessionId, reason: "stopped by the user" } as const)
        : ({ _tag: "SteerSession", sessionId: child.sessionId, text } as const)
    const principal = principalOf(settings)
    const dedupeKey = `child:${randomUUID()}`
    yield* store.submit({ treeId: child.treeId, command, principal, dedupeKey })
  }).pipe(Effect.catch((error) => Effect.sync(() => app.note(`cannot reach the agent: ${error.message}`, "error"))))
