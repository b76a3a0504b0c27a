/** Where a session's people are: who is shown approvals, and who sees what passes by. */
import type { Approval, Event, EventStream } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** A decision and who made it. */
export interface ChannelAnswer {
  readonly decision: Approval.Decision
  readonly principal: string
}

export class Channel extends Context.Service<
  Channel,
  {
    /** Stored with the session that owns it, such as "terminal". Null: there is none, and what asks is denied. */
    readonly name: string | null
    /**
     * The readers of messages that sessions send there: the sessions' own user alone, or others too, so that each
     * message asks unless a rule allows it. Without it no message can be sent.
     */
    readonly readers?: "owner" | "others"
    /**
     * Shows a request and waits for a user; interrupted if the request is decided elsewhere first. Null: no user is
     * attached now, so the call parks.
     */
    readonly ask: ((request: Approval.Request) => Effect.Effect<ChannelAnswer>) | null
    /**
     * True, with `ask` null: requests are shown to readers as events, and decided through the inbox. The call parks at
     * once. Made by `detached`.
     */
    readonly isDetached?: boolean
    /** Must not fail and should not wait: events pass by. `at`: its place among the events of its tree. */
    readonly publish: (event: Event.Event, at?: EventStream.Position) => Effect.Effect<void>
  }
>()("@bough/runtime/ports/Channel") {}

export interface DetachedOptions {
  /** Stored with the sessions that own the channel. */
  readonly name: string
  readonly readers?: "owner" | "others"
  /** Default: nothing; readers take the numbered events of the session or its host. */
  readonly publish?: Channel["Service"]["publish"]
}

/**
 * A channel whose people are elsewhere: in a web page, in another process, asleep. A call that needs them publishes
 * ApprovalAsked and parks at once; the decision is a row of the inbox, and the session goes on when it is resumed.
 */
export const detached = ({ name, publish, readers }: DetachedOptions): Channel["Service"] => ({
  name,
  ask: null,
  isDetached: true,
  publish: publish ?? (() => Effect.void),
  ...(readers === undefined ? {} : { readers })
})
