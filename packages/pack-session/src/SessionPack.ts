/** Sessions that work for this one. A Worker has none. */
import { ToolPack } from "@bough/tool"
import { CancelSession } from "./CancelSession.ts"
import { ListSessions } from "./ListSessions.ts"
import { SpawnBranch } from "./SpawnBranch.ts"
import { SpawnWorker } from "./SpawnWorker.ts"
import { SteerSession } from "./SteerSession.ts"
import { WaitForSessions } from "./WaitForSessions.ts"

export const all = ToolPack.named(
  "session",
  ToolPack.make(SpawnBranch, SpawnWorker, WaitForSessions, ListSessions, SteerSession, CancelSession)
)
