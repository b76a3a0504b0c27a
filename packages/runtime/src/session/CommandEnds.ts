/** Records the ends of background commands: the user is shown each, and the model reads it with its next step. */
import type { Entry } from "@bough/protocol"
import type { BackgroundCommand, BackgroundCommands, Execution } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Journal } from "../journal/Journal.ts"
import * as RunningCommands from "../journal/RunningCommands.ts"
import type { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"

/** The port; null: no command continues after its call. */
export type Commands = BackgroundCommands | null

/**
 * Records the end of each command that has ended and whose end is not in the journal. A command that this process does
 * not know was running in another process, and has ended with that process.
 */
export const record = (journal: Journal["Service"], commands: Commands): Effect.Effect<void, LeaseLost | StoreFailed> =>
  Effect.suspend(() => {
    const { sessionId, state, treeId } = journal
    if (state.runningCommands.size === 0) return Effect.void
    const known = (commands?.list(treeId) ?? []).filter((command) => command.sessionId === sessionId)
    return endsOf(state, known).length === 0
      ? Effect.void
      : journal.append((state) => ({ bodies: endsOf(state, known) }))
  })

/** Stops every command of the session and records it. `reason` completes "stopped". */
export const stopAll = (
  journal: Journal["Service"],
  commands: Commands,
  reason: string
): Effect.Effect<void, LeaseLost | StoreFailed> =>
  Effect.andThen(commands?.stopSession(journal.sessionId, reason) ?? Effect.void, record(journal, commands))

const endsOf = (
  { runningCommands }: RunningCommands.RunningCommands,
  known: ReadonlyArray<BackgroundCommand>
): ReadonlyArray<Entry.Body> =>
  [...runningCommands].flatMap(([commandId, command]): ReadonlyArray<Entry.Body> => {
    const found = known.find((one) => one.commandId === commandId)
    if (found !== undefined && found.ended === null) return []
    const end = found?.ended ?? lost
    const text = firstLine(command)
    return [{ _tag: "CommandEnded", commandId, exitCode: end.exitCode, reason: reasonOf(end), command: text }]
  })

const lost: Execution.CommandEnd = { exitCode: null, signal: null, reason: "lost with the process that ran it" }

/** A clause for users and for the model, such as `exit 1`. */
export const reasonOf = ({ exitCode, reason, signal }: Execution.CommandEnd): string =>
  reason ?? (exitCode === null ? `ended by ${signal ?? "a signal"}` : `exit ${exitCode}`)

/** Returns the ends that a fork records for the commands that are running in the original session. */
export const endsForFork = ({
  runningCommands
}: RunningCommands.RunningCommands): ReadonlyArray<Entry.BodyOf<"CommandEnded">> =>
  Array.from(runningCommands, ([commandId, command]) => ({
    _tag: "CommandEnded",
    commandId,
    exitCode: null,
    reason: RunningCommands.outsideFork,
    command: firstLine(command)
  }))

const maxLength = 80

const firstLine = (command: string): string => {
  const [line = ""] = command.trim().split("\n")
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}
