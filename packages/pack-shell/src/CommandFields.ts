/** The common parameters of all tools that start a command: a shell's text or an argument vector, and the directory. */
import { ToolError } from "@bough/protocol"
import { type Execution, type Grant, Invocation } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { escapeText, forbiddenIn, indentText, quoteWords, shortenText } from "./CommandText.ts"
import * as CommandWords from "./CommandWords.ts"

const badInput = (text: string): string | undefined => {
  const found = forbiddenIn(text)
  return found === null ? undefined : `BadInput: ${found} may not stand in a command`
}

export const readable = Schema.makeFilter(badInput)

export const fields = {
  command: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "For bash -c" }).check(readable)),
  argv: Schema.optionalKey(
    Schema.NonEmptyArray(Schema.String.check(readable)).annotate({ description: "Instead: no shell" })
  ),
  cwd: Schema.String.annotate({ default: "." })
    .check(readable)
    .pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("."))),
  vault: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "Vault entries to set as variables" }))
}

export interface CommandArguments {
  readonly command?: string
  readonly argv?: readonly [string, ...ReadonlyArray<string>]
  readonly cwd: string
  readonly vault?: ReadonlyArray<string>
}

/** Returns the higher tier of a command that gets vault entries; null: it gets none. */
export const vaultRaise = ({
  vault
}: CommandArguments): { readonly reason: string; readonly grant: Grant.Grant } | null =>
  vault === undefined || vault.length === 0
    ? null
    : {
        reason: `the command gets the vault ${vault.length === 1 ? "entry" : "entries"} ${escapeText(vault.join(", "))}`,
        grant: { _tag: "Vault", names: [...new Set(vault)] }
      }

/** Returns the vault entries as an option of the command. */
export const vaultOption = ({ vault }: CommandArguments): { readonly vault?: ReadonlyArray<string> } =>
  vault === undefined ? {} : { vault }

export const oneOfBoth = Schema.makeFilter(({ argv, command }: CommandArguments) =>
  (argv === undefined) === (command === undefined) ? "give exactly one of command and argv" : undefined
)

/** Returns the simple commands with which rules are compared. */
export const commandsOf = ({ argv, command }: CommandArguments) =>
  argv === undefined ? CommandWords.read(command ?? "") : Effect.succeed([argv])

export const formatCommand = ({ argv, command }: CommandArguments): string => command ?? quoteWords(argv ?? [])

const displayLength = 60

/** Formats the command as a part of one line. */
export const formatForDisplay = (given: CommandArguments): string =>
  shortenText(escapeText(formatCommand(given).trim()), displayLength)

const sandboxes = new Set(["bubblewrap", "seatbelt"])

/** Formats the command for the user who approves it; `backend` null: it runs in the session's sandbox. */
export const render = Effect.fnUntraced(function* (fields: CommandArguments, backend: string | null) {
  const { config, workspaceRoot } = yield* Invocation.Invocation
  const directory = fields.cwd === "." ? workspaceRoot : `${workspaceRoot}, ${fields.cwd}`
  const profile = typeof config["execution"] === "string" ? config["execution"] : "the session's execution"
  const sandboxText = sandboxes.has(profile) ? `in the sandbox (${profile})` : `on ${escapeText(profile)}`
  const location = backend === null ? sandboxText : `on ${backend}`
  const way = fields.argv === undefined ? "a shell" : "no shell"
  const raise = vaultRaise(fields)
  const gets = raise === null ? "" : `\nAs variables ${raise.reason}; values are not shown.`
  return `Run ${location} with ${way} in ${escapeText(directory)}:\n${indentText(formatCommand(fields))}${gets}`
})

/** Checks the arguments again, because programs call handlers without decoding. */
export const checkArguments = ({
  argv,
  command,
  cwd
}: CommandArguments): Effect.Effect<Execution.Invoke, ToolError.ValidationError> => {
  for (const [field, text] of [
    ["command", command ?? ""],
    ["argv", argv?.join("\n") ?? ""],
    ["cwd", cwd]
  ] as const) {
    const message = badInput(text)
    if (message !== undefined) return invalid(field, message)
  }
  if (command !== undefined && argv === undefined) return Effect.succeed({ command })
  if (argv !== undefined && command === undefined) return Effect.succeed({ argv })
  return invalid("", "give exactly one of command and argv")
}

const invalid = (path: string, message: string) =>
  Effect.fail(
    new ToolError.ValidationError({ message, issues: [{ path, message }], ...(path === "" ? {} : { field: path }) })
  )
