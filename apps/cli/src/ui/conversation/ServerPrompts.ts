/** Prompts of MCP servers as commands, for completion and the help. Pure. */
import type { SessionWithMemory } from "@bough/host/session/SessionWithMemory"
import type * as InputSyntax from "@bough/tui/editor/InputSyntax"

type Servers = SessionWithMemory["servers"]
type Argument = ReturnType<NonNullable<Servers>["prompts"]>[number]["arguments"][number]

/** Lists the prompts of the servers that are connected now. */
export const toCommands = (servers: Servers): ReadonlyArray<InputSyntax.SlashCommand> =>
  (servers?.prompts() ?? []).map(({ arguments: taken, command, description, server }) => ({
    name: command,
    arguments: taken.map(argumentText).join(" "),
    help: `${description} (MCP server ${server})`.trimStart()
  }))

const argumentText = ({ isRequired, name }: Argument): string => (isRequired ? name.toUpperCase() : `[${name}]`)
