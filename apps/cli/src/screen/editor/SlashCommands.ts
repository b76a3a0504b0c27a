/** The commands of a conversation, as data: what completion offers and `/help` prints. */

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string
  /** How its arguments are written in the help; empty: it takes none. */
  readonly arguments: string
  readonly help: string
}

export const slashCommands: ReadonlyArray<SlashCommand> = [
  { name: "help", arguments: "", help: "list the commands and the keys" },
  { name: "tools", arguments: "", help: "list the tools of this session" },
  { name: "model", arguments: "[provider/model]", help: "show or change the model" },
  { name: "effort", arguments: "[level]", help: "show or change how hard the model thinks" },
  { name: "sessions", arguments: "[id]", help: "list the sessions, or go on with one" },
  { name: "fork", arguments: "[entry]", help: "go on in a new session, from here or from an entry" },
  { name: "compact", arguments: "", help: "summarise what was said so far" },
  { name: "cost", arguments: "", help: "show what this session has used" },
  { name: "quit", arguments: "", help: "leave" }
]
