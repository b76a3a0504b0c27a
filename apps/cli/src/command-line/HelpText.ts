/** Formats `--help` within the given columns: the purpose of a command, its usage and its parameters. Pure. */
import * as Escape from "@bough/tui/text/Escape"
import { sentence } from "@bough/tui/text/Layout"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import type { ArgDoc, FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Option from "effect/Option"
import * as ListText from "../format/ListText.ts"

type Entry = readonly [name: string, text: string]

/** Removes the required subcommand from a usage line: every command also works without one. */
export const usage = (line: string): string => line.replace("<subcommand>", "[COMMAND]")

export const rows = (doc: HelpDoc, columns: number): ReadonlyArray<SafeText> => {
  const commands = (doc.subcommands ?? []).flatMap((group) =>
    group.commands.map((command): Entry => [command.name, command.shortDescription ?? command.description])
  )
  return [
    ...sentence(Escape.line(doc.description), columns),
    text``,
    text`USAGE`,
    ...indent(sentence(Escape.line(usage(doc.usage)), columns - 2)),
    ...section("ARGUMENTS", (doc.args ?? []).map(argument), columns),
    ...section("FLAGS", doc.flags.map(flag), columns),
    ...section("GLOBAL FLAGS", [...(doc.inheritedFlags ?? []), ...(doc.globalFlags ?? [])].map(flag), columns),
    ...section("COMMANDS", commands, columns),
    ...examples(doc, columns)
  ]
}

const indent = (lines: ReadonlyArray<SafeText>): ReadonlyArray<SafeText> => lines.map((line) => text`  ${line}`)

const section = (
  title: "ARGUMENTS" | "FLAGS" | "GLOBAL FLAGS" | "COMMANDS",
  entries: ReadonlyArray<Entry>,
  columns: number
): ReadonlyArray<SafeText> =>
  entries.length === 0 ? [] : [text``, text`${title}`, ...indent(ListText.rows(entries, columns - 2))]

const examples = ({ examples: shown = [] }: HelpDoc, columns: number): ReadonlyArray<SafeText> =>
  shown.length === 0
    ? []
    : [
        text``,
        text`EXAMPLES`,
        ...shown.flatMap(({ command, description = "" }) => [
          ...indent(sentence(Escape.line(`# ${description}`), columns - 2)),
          ...indent(sentence(Escape.line(command), columns - 2))
        ])
      ]

const textOf = (description: Option.Option<string>): string => Option.getOrElse(description, () => "")

const argument = ({ description, name, variadic }: ArgDoc): Entry => [
  variadic ? `${name}...` : name,
  textOf(description)
]

/** Returns the type of a flag's value; alternatives are listed in its description. */
const typeOf = ({ type }: FlagDoc): string => {
  if (type === "boolean") return ""
  return type.includes("|") ? " choice" : ` ${type}`
}

const flag = (doc: FlagDoc): Entry => [
  `${[...doc.aliases, `--${doc.name}`].join(", ")}${typeOf(doc)}`,
  textOf(doc.description)
]
