/** Where a session's people are: who is shown approvals, and who sees what passes by. */
import type { Approval, Event } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A decision and who made it. */
export interface Answer {
  readonly decision: Approval.Decision
  readonly principal: string
}

export class Channel extends Context.Service<
  Channel,
  {
    /** Stored with the session that owns it, such as "terminal". Null: there is none, and what asks is denied. */
    readonly name: string | null
    /**
     * Who reads what sessions send there: the person whose sessions they are, and nobody else; or others too, so that
     * each message asks unless a rule allows it. Without it nothing can be sent.
     */
    readonly readers?: "owner" | "others"
    /**
     * Shows a request and waits for a person; interrupted when someone else decided first. Null: nobody is there now,
     * so the call parks.
     */
    readonly ask: ((request: Approval.Request) => Effect.Effect<Answer>) | null
    /** Must not fail and should not wait: events pass by. */
    readonly publish: (event: Event.Event) => Effect.Effect<void>
  }
>()("@bough/runtime/Channel") {}
