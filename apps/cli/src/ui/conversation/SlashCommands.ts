/** The commands of a conversation and its keys, as data: what completion offers and `/help` prints. Pure. */
import { nearest } from "@bough/host/config/Nearest"
import * as InputSyntax from "@bough/tui/editor/InputSyntax"

const all = [
  { name: "help", arguments: "", help: "list the commands and the keys" },
  { name: "tools", arguments: "", help: "list the tools of this session" },
  { name: "model", arguments: "[provider/model]", help: "show or change the model" },
  { name: "effort", arguments: "[level]", help: "show or change the reasoning effort of the model" },
  { name: "mode", arguments: "[name]", help: "show or change what the agent may change without a question" },
  { name: "accept", arguments: "[words]", help: "accept the plan of plan mode and have it carried out" },
  { name: "new", arguments: "", help: "begin a new session; this one stays" },
  { name: "init", arguments: "", help: "have the agent write AGENTS.md, its instructions for this project" },
  { name: "copy", arguments: "", help: "copy the last answer to the clipboard" },
  { name: "sessions", arguments: "[id]", help: "list sessions, or open one" },
  { name: "fork", arguments: "[entry] [--files]", help: "continue in a new session, from here or from an entry" },
  { name: "compact", arguments: "", help: "summarise the conversation to free context" },
  { name: "undo", arguments: "[turn]", help: "restore files to their state before the last turn, or a turn" },
  { name: "redo", arguments: "", help: "take the last undo back" },
  { name: "tasks", arguments: "[id]", help: "list background commands, show the output of one, or stop ID" },
  { name: "cost", arguments: "", help: "show tokens and cost of this session" },
  { name: "quit", arguments: "", help: "leave" }
] as const satisfies ReadonlyArray<InputSyntax.SlashCommand>

export type Name = (typeof all)[number]["name"]
export const slashCommands: ReadonlyArray<InputSyntax.SlashCommand> = all

/** How a conversation is held. */
export type UiMode = "screen" | "lines"

/** The keys and prefixes other than slash commands. */
const keys: ReadonlyArray<{
  readonly keys: string
  readonly help: string
  /** Default: however it is held. */
  readonly only?: UiMode
}> = [
  { keys: "!COMMAND", help: "run a command of your own, in the sandbox" },
  { keys: "@PATH", help: "mention a file; Tab completes it", only: "screen" },
  { keys: "Enter", help: "send; while the agent works: steer its next step" },
  { keys: "Tab", help: "while the agent works: queue the message until the turn ends", only: "screen" },
  { keys: "Alt-Enter, Ctrl-J", help: "a new line", only: "screen" },
  { keys: "\\ before Enter", help: "a new line", only: "lines" },
  { keys: "Up, Down, Ctrl-R", help: "search earlier messages", only: "screen" },
  { keys: "Shift-Tab", help: "change the mode: auto, ask, plan", only: "screen" },
  { keys: "Ctrl-O", help: "show the newest folded output, then the one before it", only: "screen" },
  { keys: "Ctrl-B", help: "leave the running command in the background: /tasks lists it", only: "screen" },
  { keys: "Esc", help: "interrupt the turn; queued messages return to the editor", only: "screen" },
  { keys: "Ctrl-C", help: "interrupt the turn; at the prompt: clear it, twice at the empty prompt: quit" },
  { keys: "Ctrl-Z", help: "suspend the program; fg resumes it" }
]

/** Names, and what there is to say of each. */
export const help = (manner: UiMode): ReadonlyArray<readonly [name: string, text: string]> => [
  ...slashCommands.map(({ arguments: given, help, name }) => [`/${name} ${given}`.trim(), help] as const),
  ...keys.filter(({ only }) => only === undefined || only === manner).map(({ help, keys }) => [keys, help] as const)
]

/** A message to the agent, a command for the shell, or a command of the conversation. */
export type Spoken = InputSyntax.ParsedInput

/** Reads a text by its first character. */
export const read = (text: string): Spoken => {
  const input = InputSyntax.parse(text)
  return input._tag === "Slash" && input.name === "exit" ? { ...input, name: "quit" } : input
}

/** Why what was read cannot be carried out, and what to do about it; null: it can. */
export const refusal = (spoken: Spoken): string | null => {
  if (spoken._tag === "Command") return spoken.command === "" ? "write a command after the !" : null
  if (spoken._tag !== "Slash" || slashCommands.some(({ name }) => name === spoken.name)) return null
  const near = nearest(
    spoken.name,
    slashCommands.map(({ name }) => name)
  )
  const meant = near === null ? "/help lists commands." : `Did you mean /${near}?`
  return `Unknown command /${spoken.name}. ${meant} Start with a space to send it as text`
}

/** The commands as the editor completes and checks them. */
export const syntax: InputSyntax.InputSyntax = {
  commands: slashCommands,
  parse: read,
  refusal,
  noCommand: "there is no such command: /help lists them"
}
