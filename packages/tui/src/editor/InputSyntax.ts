/**
 * Reads an input by its first character: a message, a shell command after `!`, or a command of the host after `/`.
 * Pure.
 */

export interface SlashCommand {
  /** The name without the slash; `group:name` for a command that another program offers. */
  readonly name: string
  /** The arguments as the help shows them; "" if it takes none. */
  readonly arguments: string
  readonly help: string
}

/** The arguments of a command: names, each with a description. */
export type ArgumentOptions = ReadonlyArray<readonly [name: string, text: string]>

export type ParsedInput =
  | { readonly _tag: "Message" }
  | { readonly _tag: "Command"; readonly command: string }
  /** `name` "": the input is only a slash. */
  | { readonly _tag: "Slash"; readonly name: string; readonly arguments: string }

/** The commands of the program that uses the editor. */
export interface InputSyntax {
  readonly commands: ReadonlyArray<SlashCommand>
  readonly parse: (text: string) => ParsedInput
  /** The reason why an input cannot be executed, and the fix; null: nothing prevents it. */
  readonly refusal: (input: ParsedInput) => string | null
  /** The hint if no command matches the typed text. */
  readonly noCommand: string
}

const command = /^\/([a-z][a-z0-9_-]*:[a-z0-9_-]+|[a-z][a-z0-9-]*)(?:\s+([^]*))?$/u

export const parse = (text: string): ParsedInput => {
  if (text.startsWith("!")) return { _tag: "Command", command: text.slice(1).trim() }
  if (text === "/") return { _tag: "Slash", name: "", arguments: "" }
  const found = command.exec(text)
  if (found === null) return { _tag: "Message" }
  const [, name, argument = ""] = found
  return { _tag: "Slash", name, arguments: argument.trim() }
}

/** The syntax of a program without commands: every input is a message. */
export const messages: InputSyntax = {
  commands: [],
  parse: () => ({ _tag: "Message" }),
  refusal: () => null,
  noCommand: ""
}
