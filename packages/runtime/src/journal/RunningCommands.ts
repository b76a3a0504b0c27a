/** The background commands that are running according to the journal: a part of `SessionState`. */
import type { Entry } from "@bough/protocol"

export interface RunningCommands {
  /** The text of each command that has not ended, by its id. */
  readonly runningCommands: Map<string, string>
  /** The number in the newest command's id; 0: no command was started. */
  lastCommandNumber: number
}

/** The state before the first entry. */
export const empty = (): RunningCommands => ({ runningCommands: new Map(), lastCommandNumber: 0 })

/** Folds the end of a call, after which a command may still be running. */
export const callEnded = (state: RunningCommands, { receipt }: Entry.BodyOf<"CallEnded">): void => {
  for (const artifact of receipt?.artifacts ?? []) {
    if (artifact._tag !== "CommandExecuted" || artifact.commandId === undefined) continue
    state.runningCommands.set(artifact.commandId, artifact.command)
    const number = Number(/\d+$/u.exec(artifact.commandId)?.[0] ?? 0)
    state.lastCommandNumber = Math.max(state.lastCommandNumber, number)
  }
}

export const commandEnded = (state: RunningCommands, { commandId }: Entry.BodyOf<"CommandEnded">): void =>
  void state.runningCommands.delete(commandId)

/** The recorded reason for a command that a fork did not take over: it may still be running in the original session. */
export const outsideFork = "does not run in this fork"

/** Completes a sentence about the command, such as `ended: exit 1`. */
export const statement = ({ reason }: Pick<Entry.BodyOf<"CommandEnded">, "reason">): string =>
  reason === outsideFork ? reason : `ended: ${reason}`
