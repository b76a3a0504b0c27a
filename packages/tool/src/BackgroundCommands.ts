/**
 * Port to the commands that continue after the call that started them, for the runtime and for apps. It is not a
 * capability: a tool reaches the commands of its own session through `Execution`.
 */
import type { Session, ToolError } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import type { CommandEnd, CommandOutput, CommandPort } from "./Execution.ts"

export interface BackgroundCommand {
  readonly sessionId: Session.SessionId
  /** The Main of the session. */
  readonly treeId: Session.SessionId
  readonly commandId: string
  /** The command that was called: a shell's text, or an argument vector for display. */
  readonly command: string
  readonly startedAtMillis: number
  readonly ports: ReadonlyArray<CommandPort>
  /** Null: the command is running. */
  readonly ended: CommandEnd | null
}

export interface BackgroundCommands {
  /** Calls back with each command that ends. The returned effect stops the calls. */
  readonly onEnded: (listener: (command: BackgroundCommand) => void) => Effect.Effect<void>
  /** Makes later ids of the tree continue after this number, the highest in its journals. */
  readonly reserveIds: (treeId: Session.SessionId, lastNumber: number) => void
  /** Checks which ports the commands of the tree have opened and closed since the last check. */
  readonly refreshPorts: (treeId: Session.SessionId) => Effect.Effect<void>
  /** Lists the commands of a tree, oldest first, including ended ones whose output is stored. */
  readonly list: (treeId: Session.SessionId) => ReadonlyArray<BackgroundCommand>
  /** Returns the end of a command's output, for a user. */
  readonly output: (
    treeId: Session.SessionId,
    commandId: string
  ) => Effect.Effect<CommandOutput, ToolError.ValidationError>
  /** Ends a command with all processes that it started. `reason` completes "stopped". */
  readonly stop: (
    treeId: Session.SessionId,
    commandId: string,
    reason: string
  ) => Effect.Effect<CommandOutput, ToolError.ValidationError>
  /** Ends the calls of the tree that wait for commands, and leaves the commands running. Returns their number. */
  readonly leave: (treeId: Session.SessionId) => number
  /** Ends every command of a session. */
  readonly stopSession: (sessionId: Session.SessionId, reason: string) => Effect.Effect<void>
}
