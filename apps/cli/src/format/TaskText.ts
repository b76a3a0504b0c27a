/** Formats background commands as rows for users. Pure. */
import { CommandEnds, RunningCommands } from "@bough/runtime"
import type { BackgroundCommand } from "@bough/tool"

/** Formats a command as `cmd-2` and `running 3 min: npm run dev`. */
export const row = (
  { command, commandId, ended, ports, startedAtMillis }: BackgroundCommand,
  nowMillis: number
): readonly [name: string, text: string] => {
  const state = ended === null ? `running ${span(nowMillis - startedAtMillis)}` : CommandEnds.reasonOf(ended)
  const served = ports.map(({ outsidePort }) => ` at http://127.0.0.1:${outsidePort}`).join("")
  return [commandId, `${state}${served}: ${command.trim().split("\n").join("\\n")}`]
}

const span = (millis: number): string => {
  const seconds = Math.max(0, Math.floor(millis / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}

/** The last lines of a command's output. */
export const tail = (text: string): ReadonlyArray<string> => text.replace(/\n+$/u, "").split("\n").slice(-maxLines)

const maxLines = 40

/** Reports that a command has ended, or that it belongs to the session that a fork was made from; not escaped. */
export const commandEndText = ({
  command,
  commandId,
  reason
}: {
  readonly commandId: string
  readonly command?: string
  readonly reason: string
}): string => {
  const named = command === undefined ? commandId : `${commandId} (${command})`
  const owner = reason === RunningCommands.outsideFork ? "belongs to the original session: it " : ""
  return `${named} ${owner}${RunningCommands.statement({ reason })}`
}
