/**
 * Deletes a session with everything that belongs to it: its journal, attachments, workspace and the workspace's
 * snapshots.
 */
import { AgentHost } from "@bough/host"
import * as SessionSnapshots from "@bough/host/session/SessionSnapshots"
import type { Session } from "@bough/protocol"
import { Host, SessionStore } from "@bough/runtime"
import { WorkspaceSnapshots } from "@bough/snapshots"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TenantId } from "../accounts/Principal.ts"
import { Quotas } from "../accounts/Quotas.ts"
import { Attachments } from "../files/Attachments.ts"
import { AgentCatalog } from "./AgentCatalog.ts"
import { UserHosts } from "./UserHosts.ts"
import { Workspaces } from "./Workspaces.ts"

export class SessionRemoval extends Context.Service<
  SessionRemoval,
  {
    /**
     * Deletes a Main with its tree, and its workspace unless another session uses it. Fails with TreeBusy if it is
     * working. A session that is already deleted is not an error.
     */
    readonly remove: (main: Session.Summary) => Effect.Effect<void, SessionStore.TreeBusy>
    /** Completes removals whose process ended in the middle. */
    readonly finish: Effect.Effect<void>
  }
>()("@bough/gateway/SessionRemoval") {}

const make = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const host = yield* Host.Host
  const attachments = yield* Attachments
  const workspaces = yield* Workspaces
  const quotas = yield* Quotas
  const hostOf = yield* UserHosts
  const catalog = yield* AgentCatalog

  /** Deletes the workspace of a user's deleted session, unless another session works there. */
  const removeWorkspace = Effect.fnUntraced(function* (root: string, user: string) {
    if (workspaces.idOf(root) === null) return
    const [used] = yield* store.list({ workspaceRoot: root, limit: 1 })
    if (used !== undefined) return
    const directory = SessionSnapshots.directoryIn(AgentHost.dataDirectory(hostOf(user)))
    yield* workspaces.remove(root)
    yield* WorkspaceSnapshots.remove({ directory, root })
  })

  const remove = Effect.fnUntraced(function* ({ sessionId, user, workspaceRoot }: Session.Summary) {
    yield* host.remove(sessionId)
    yield* attachments.removeAll(sessionId)
    yield* catalog.forget(sessionId)
    if (user === null) return
    yield* removeWorkspace(workspaceRoot, user)
    yield* quotas.giveBack(user.split("/", 1)[0] as TenantId, "sessions", 1)
  })

  const finish = Effect.gen(function* () {
    for (const treeId of yield* attachments.trees) {
      const isGone = yield* store.session(treeId).pipe(
        Effect.as(false),
        Effect.catchTag("SessionNotFound", () => Effect.succeed(true))
      )
      if (isGone) yield* attachments.removeAll(treeId)
    }
  })

  return SessionRemoval.of({
    remove: (main) => Effect.catchTags(remove(main), { SessionNotFound: () => Effect.void, StoreFailed: Effect.die }),
    finish: Effect.orDie(finish)
  })
})

export const layer: Layer.Layer<
  SessionRemoval,
  never,
  SessionStore.SessionStore | Host.Host | Attachments | Workspaces | Quotas | UserHosts | AgentCatalog
> = Layer.effect(SessionRemoval, make)
