/** What the commands of the screen are done by where a conversation is plain lines. Pure. */
import { slashCommands } from "../screen/editor/SlashCommands.ts"

/** By the command's name; what a person types in a shell. */
const elsewhere: Readonly<Record<string, string>> = {
  tools: "tools",
  model: "config set model PROVIDER/MODEL",
  effort: "config set effort LEVEL",
  sessions: "sessions; then --session ID",
  fork: "sessions fork ID; then --session ID",
  cost: "stats --session ID"
}

/** A sentence for a line that is such a command; null: it is something to say. */
export const insteadOf = (line: string, program: string): string | null => {
  const name = /^\/(\w+)(?:\s|$)/u.exec(line)?.[1]
  if (name === undefined || !slashCommands.some((command) => command.name === name)) return null
  const by = elsewhere[name]
  return by === undefined
    ? `/${name} is a command of the screen: here are lines alone`
    : `/${name} is a command of the screen; for lines, in a shell: ${program} ${by}`
}
