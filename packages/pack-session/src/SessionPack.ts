/** The tools for child sessions and for messages to the users. A Worker has neither. */
import { ToolPack } from "@bough/tool"
import { CancelSession } from "./CancelSession.ts"
import { Delegate } from "./Delegate.ts"
import { ListSessions } from "./ListSessions.ts"
import { RunChain } from "./RunChain.ts"
import { SendMessage } from "./SendMessage.ts"
import { SpawnBranch } from "./SpawnBranch.ts"
import { SpawnWorker } from "./SpawnWorker.ts"
import { SteerSession } from "./SteerSession.ts"
import { WaitForSessions } from "./WaitForSessions.ts"

/** All tools, for a Main or a Branch. */
export const all = ToolPack.named(
  "session",
  ToolPack.make(
    SpawnBranch,
    SpawnWorker,
    Delegate,
    WaitForSessions,
    ListSessions,
    SteerSession,
    CancelSession,
    SendMessage,
    RunChain
  )
)
