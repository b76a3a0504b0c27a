/** Reads and writes files in the workspace of a session as the session's own tools would: no link leads out of it. */
import type { Session } from "@bough/protocol"
import { ProcessRunnerNode } from "@bough/sandbox"
import type { WorkspaceRead, WorkspaceWrite } from "@bough/tool"
import * as Effect from "effect/Effect"

type Reads = WorkspaceRead.WorkspaceRead["Service"]
type Writes = WorkspaceWrite.WorkspaceWrite["Service"]
type Place = Pick<Session.Summary, "workspaceRoot">

/** Opens the folder only for one operation, because a session may be working in it. */
const opened = ({ workspaceRoot }: Place) =>
  Effect.promise(() => import("@bough/workspace")).pipe(
    Effect.flatMap(({ Workspace }) => Workspace.make({ root: workspaceRoot })),
    Effect.provide(ProcessRunnerNode.layer)
  )

export const read = <A, E>(place: Place, use: (reads: Reads) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(opened(place), (workspace) => use(workspace.read([]))))

export const write = <A, E>(place: Place, use: (writes: Writes) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(opened(place), (workspace) => use(workspace.write([]))))
