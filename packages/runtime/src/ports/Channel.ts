/** The users of a session: those to whom approvals are shown, and those who see its events. */
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
    /**
     * The name, such as "terminal", stored with the session that owns it. Null: there is no channel, and calls that
     * would ask are denied.
     */
    readonly name: string | null
    /**
     * The readers of messages that sessions send to the channel: only the sessions' own user, or other people too. In
     * the second case, each message needs approval unless a rule allows it. Absent: no message can be sent.
     */
    readonly readers?: "owner" | "others"
    /**
     * Shows a request and waits for a user; interrupted if the request is decided elsewhere first. Null: no user is
     * attached now, so the call is parked.
     */
    readonly ask: ((request: Approval.Request) => Effect.Effect<ChannelAnswer>) | null
    /**
     * True, with `ask` null, for a channel made by `makeDetached`: readers get requests as events, decisions arrive in the
     * inbox, and the call is parked at once.
     */
    readonly isDetached?: boolean
    /** Publishes an event; must not fail and should not wait. `at`: its position among the events of its tree. */
    readonly publish: (event: Event.Event, at?: EventStream.Position) => Effect.Effect<void>
  }
>()("@bough/runtime/ports/Channel") {}

export interface DetachedOptions {
  /** Stored with the sessions that own the channel. */
  readonly name: string
  readonly readers?: "owner" | "others"
  /** Publishes an event; default: does nothing, since readers take the numbered events of the session or its host. */
  readonly publish?: Channel["Service"]["publish"]
}

/**
 * A channel whose users are not at this process, for example on a web page. A call that needs approval
 * publishes ApprovalAsked and is parked at once; the decision is a row of the inbox, and the session continues when it
 * is resumed.
 */
export const makeDetached = ({ name, publish, readers }: DetachedOptions): Channel["Service"] => ({
  name,
  ask: null,
  isDetached: true,
  publish: publish ?? (() => Effect.void),
  ...(readers === undefined ? {} : { readers })
})
