/** A session whose turns and calls commit or discard the notes that they wrote. */
import type { Servers } from "@bough/mcp/ports"
import type { Session, Turn } from "@bough/runtime"
import type { WorkspaceSnapshots } from "@bough/snapshots"
import * as Effect from "effect/Effect"
import type * as Memory from "../memory/Memories.ts"

export interface SessionWithMemory extends Session.Session {
  /** Undoes the changes of its calls; null: no change is recorded. */
  readonly snapshots: WorkspaceSnapshots.WorkspaceSnapshots | null
  /** The MCP servers of its tree; null: none are configured. */
  readonly servers: Servers.Servers | null
  /** The name of the model that reflects on the session; null: there are no reflections. */
  readonly reflectsWith: string | null
  /** Reflects on the session. Null: there was no new activity, or the journal failed, which the next turn reports. */
  readonly reflectNow: Effect.Effect<Memory.ReflectionWithNotes | null>
  /** Indexes some of the messages, so that a later search has less work. */
  readonly indexMessages: Effect.Effect<void>
}

interface MemoryOptions extends Pick<SessionWithMemory, "reflectsWith" | "servers" | "snapshots"> {
  readonly isLeaving: () => boolean
}

/**
 * The notes of a turn are committed if it succeeds, and stay staged while it is open; those of a single call are
 * committed at once.
 */
export const withMemory = (
  session: Session.Session,
  memories: Memory.Memories["Service"],
  { isLeaving, reflectsWith, servers, snapshots }: MemoryOptions
): SessionWithMemory => {
  const withStagingEnd = <A extends Turn.TurnResult | null, E>(turn: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.onExit(turn, (exit) => (isLeaving() ? Effect.void : memories.endStaging(session.sessionId, exit)))
  return {
    ...session,
    run: (input) => withStagingEnd(session.run(input)),
    resume: withStagingEnd(session.resume),
    reflectNow: Effect.orElseSucceed(memories.keepReflection(session.sessionId, session.reflect), () => null),
    reflectsWith,
    servers,
    snapshots,
    indexMessages: memories.indexMessages,
    call: (tool, argumentsText, by) =>
      (servers?.listed(tool) ?? Effect.void).pipe(
        Effect.andThen(session.call(tool, argumentsText, by)),
        Effect.ensuring(memories.keep(session.sessionId))
      )
  }
}
