/** The running background commands of this session and its descendants. A pure fold of events. */
import type { Event } from "@bough/protocol"

/** The ids of the commands, which are unique in a session tree. */
export type RunningCommands = ReadonlySet<string>

export const none: RunningCommands = new Set()

/** Applies an event of any session of the tree. */
export const take = (commands: RunningCommands, event: Event.Event): RunningCommands => {
  if (event._tag !== "Recorded") return commands
  const { body } = event.entry
  switch (body._tag) {
    case "CallEnded": {
      const started = (body.receipt?.artifacts ?? []).flatMap((artifact) =>
        artifact._tag === "CommandExecuted" && artifact.commandId !== undefined ? [artifact.commandId] : []
      )
      return started.length === 0 ? commands : new Set([...commands, ...started])
    }
    case "CommandEnded":
      return commands.has(body.commandId) ? new Set([...commands].filter((id) => id !== body.commandId)) : commands
    default:
      return commands
  }
}
