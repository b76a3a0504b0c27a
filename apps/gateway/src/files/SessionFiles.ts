/** Reads and writes files in the workspace of a session as the session's own tools would: no link leads out of it. */
import type { Session } from "@bough/protocol"
import { ProcessRunnerNode } from "@bough/sandbox"
import type { WorkspaceRead, WorkspaceWrite } from "@bough/tool"
import * as Effect from "effect/Effect"

type ReadService = WorkspaceRead.WorkspaceRead["Service"]
type WriteService = WorkspaceWrite.WorkspaceWrite["Service"]
type SessionWorkspace = Pick<Session.Summary, "workspaceRoot">

/** Opens the folder only for one operation, because a session may be working in it. */
const openWorkspace = ({ workspaceRoot }: SessionWorkspace) =>
  Effect.promise(() => import("@bough/workspace")).pipe(
    Effect.flatMap(({ Workspace }) => Workspace.make({ root: workspaceRoot })),
    Effect.provide(ProcessRunnerNode.layer)
  )

export const read = <A, E>(session: SessionWorkspace, use: (reads: ReadService) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(openWorkspace(session), (workspace) => use(workspace.read([]))))

export const write = <A, E>(session: SessionWorkspace, use: (writes: WriteService) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(openWorkspace(session), (workspace) => use(workspace.write([]))))
