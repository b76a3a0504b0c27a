/** The events of a host's trees for readers, until another process owns the tree. */
import type { EventStream, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as EventLog from "../journal/EventLog.ts"
import type { SessionNotFound, SessionStore, StoreFailed, TreeBusy } from "../ports/SessionStore.ts"
import type * as HostLogs from "./HostLogs.ts"

/** A reader of a tree's events, until `ended` fails. */
export interface EventReader extends EventLog.LogReader {
  readonly ended: Effect.Effect<never, TreeBusy | StoreFailed>
}

export interface HostEvents {
  /**
   * Streams the events of a session's tree after that position without end, whether the session is loaded or not, as
   * `EventLog.read` does. It has no events of turns in another process: if another process owns the tree, or takes it
   * over later, TreeBusy names the owner and the end of its lease.
   */
  readonly attach: (
    sessionId: string,
    after: EventStream.Position | null
  ) => Stream.Stream<EventStream.Item, SessionNotFound | TreeBusy | StoreFailed>
  /**
   * Opens a reader for a caller that takes the items without a fiber. The reader is closed with the scope. `ended`
   * never succeeds, and fails when the stream of `attach` would fail.
   */
  readonly follow: (
    sessionId: string,
    after: EventStream.Position | null
  ) => Effect.Effect<EventReader, SessionNotFound | TreeBusy | StoreFailed, Scope.Scope>
}

export interface HostEventsOptions {
  readonly store: Pick<SessionStore["Service"], "session" | "ownedElsewhere">
  readonly logs: HostLogs.HostLogs
  readonly isLoaded: (treeId: Session.SessionId) => boolean
  /** The interval at which the owner of a tree is checked. */
  readonly lookMillis: number
}

export const make = ({ isLoaded, logs, lookMillis, store }: HostEventsOptions): HostEvents => {
  const failIfOwnedElsewhere = (treeId: Session.SessionId): Effect.Effect<void, TreeBusy | StoreFailed> =>
    Effect.suspend(() =>
      isLoaded(treeId)
        ? Effect.void
        : Effect.flatMap(store.ownedElsewhere(treeId), (busy) => (busy === null ? Effect.void : Effect.fail(busy)))
    )

  /** `ended` fails once another process has taken over the tree. */
  const find = Effect.fnUntraced(function* (sessionId: string) {
    const { treeId } = yield* store.session(sessionId)
    const ownerCheck = failIfOwnedElsewhere(treeId)
    yield* ownerCheck
    return { log: logs.of(treeId), ended: Effect.forever(Effect.andThen(Effect.sleep(lookMillis), ownerCheck)) }
  })

  const open = (log: EventLog.EventLog, after: EventStream.Position | null) =>
    Effect.acquireRelease(
      Effect.sync(() => log.open(after)),
      ({ close }) => Effect.sync(close)
    )

  return {
    attach: (sessionId, after) =>
      Stream.unwrap(Effect.map(find(sessionId), ({ ended, log }) => log.read(after, ended))),
    follow: (sessionId, after) =>
      Effect.flatMap(find(sessionId), ({ ended, log }) =>
        Effect.map(open(log, after), (reader) => ({ ...reader, ended }))
      )
  }
}
