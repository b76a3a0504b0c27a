/** The commands and keys of a conversation as data, for completion and `/help`. Pure. */
import { nearest } from "@bough/host/config/Nearest"
import * as InputSyntax from "@bough/tui/editor/InputSyntax"

const all = [
  { name: "help", arguments: "", help: "list the commands and the keys" },
  { name: "tools", arguments: "", help: "list the tools of this session" },
  { name: "model", arguments: "[provider/model]", help: "show or change the model" },
  { name: "login", arguments: "[provider]", help: "log in with an account, or paste an API key, which is not shown" },
  { name: "effort", arguments: "[level]", help: "show or change the reasoning effort of the model" },
  { name: "mode", arguments: "[name]", help: "show or change what the agent may do without approval" },
  { name: "accept", arguments: "[words]", help: "accept the plan of plan mode: switch to mode auto and carry it out" },
  { name: "new", arguments: "", help: "begin a new session; the current one is kept" },
  { name: "init", arguments: "", help: "have the agent write AGENTS.md, its instructions for this project" },
  { name: "copy", arguments: "", help: "copy the last answer to the clipboard" },
  { name: "resume", arguments: "[id | words]", help: "continue an earlier session; the same as /sessions" },
  { name: "sessions", arguments: "[id | words]", help: "list or find sessions to choose from, or open one" },
  { name: "retry", arguments: "", help: "repeat the request of a turn that failed" },
  { name: "fork", arguments: "[entry] [--files]", help: "continue in a new session, from here or from an entry" },
  { name: "rename", arguments: "NAME", help: "give this session a name" },
  { name: "export", arguments: "[file]", help: "write this conversation to a new .md or .html" },
  { name: "share", arguments: "", help: "show a summary of this conversation, ask, and upload it as a secret gist" },
  { name: "compact", arguments: "[words]", help: "summarise the conversation to free context" },
  { name: "rewind", arguments: "", help: "rewind to before a message, with or without restoring files" },
  { name: "undo", arguments: "[turn]", help: "restore files to their state before a turn; default: the last one" },
  { name: "redo", arguments: "", help: "revert the last undo" },
  { name: "theme", arguments: "[name]", help: "show or change the colours" },
  { name: "tasks", arguments: "[id | stop id]", help: "list background commands, show the output of one, or stop it" },
  {
    name: "permissions",
    arguments: "[add rule | remove id]",
    help: "list the rules, add one for this folder, or remove one"
  },
  { name: "memory", arguments: "[show|edit|delete id]", help: "list the notes about you, or show, edit or delete one" },
  { name: "agents", arguments: "[name]", help: "list the agents, or show one" },
  { name: "hooks", arguments: "", help: "list the hooks of this session" },
  { name: "keys", arguments: "", help: "list the keys" },
  { name: "cost", arguments: "", help: "show tokens and cost of this session" },
  { name: "quit", arguments: "", help: "leave" }
] as const satisfies ReadonlyArray<InputSyntax.SlashCommand>

export type Name = (typeof all)[number]["name"]
export const slashCommands: ReadonlyArray<InputSyntax.SlashCommand> = all

/** Commands that other agents have under another name. */
const foreignNames: ReadonlyMap<string, Name> = new Map([
  ["clear", "new"],
  ["reset", "new"],
  ["status", "cost"],
  ["usage", "cost"],
  ["context", "cost"],
  ["stats", "cost"],
  ["plan", "mode"],
  ["approvals", "permissions"],
  ["models", "model"],
  ["themes", "theme"],
  ["bashes", "tasks"],
  ["continue", "resume"],
  ["checkpoint", "rewind"],
  ["tree", "rewind"]
])

/** The features of a user interface. */
export type UiMode = "screen" | "lines"

/** Lists the commands with their descriptions. */
export const help = (
  customCommands: ReadonlyArray<InputSyntax.SlashCommand> = []
): ReadonlyArray<readonly [name: string, text: string]> =>
  [...slashCommands, ...customCommands].map(
    ({ arguments: placeholder, help, name }) => [`/${name} ${placeholder}`.trim(), help] as const
  )

/** A message to the agent, a command for the shell, or a command of the conversation. */
export type TypedCommand = InputSyntax.ParsedInput

/** Reads a text by its first character. */
export const read = (text: string): TypedCommand => {
  const input = InputSyntax.parse(text)
  return input._tag === "Slash" && input.name === "exit" ? { ...input, name: "quit" } : input
}

/** Returns the reason why an input cannot be executed, and the fix; null: nothing prevents it. */
export const refusal = (
  spoken: TypedCommand,
  customCommands: ReadonlyArray<InputSyntax.SlashCommand> = []
): string | null => {
  if (spoken._tag === "Command") return spoken.command === "" ? "write a command after the !" : null
  const names = [...slashCommands, ...customCommands].map(({ name }) => name)
  // Prompts of servers are only known once the servers are connected.
  if (spoken._tag !== "Slash" || spoken.name.includes(":") || names.includes(spoken.name)) return null
  const near = foreignNames.get(spoken.name) ?? nearest(spoken.name, names)
  const suggestion = near === null ? "/help lists commands." : `Did you mean /${near}?`
  return `Unknown command /${spoken.name}. ${suggestion} Start with a space to send it as text`
}

/** The commands that the editor completes and checks; `own`: the user-defined ones. */
export const syntaxWith = (customCommands: ReadonlyArray<InputSyntax.SlashCommand>): InputSyntax.InputSyntax => ({
  commands: [...slashCommands, ...customCommands],
  parse: read,
  refusal: (spoken) => refusal(spoken, customCommands),
  noCommand: "there is no such command: /help lists them"
})
