/** Generates the manual page from the help of every command. */
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HelpText from "../src/command-line/HelpText.ts"
import { version } from "./derived.ts"
import { helpOf } from "./helpOf.ts"

const name = "bough"

/** Returns the page as roff. */
export const manPage = async (): Promise<string> => {
  const docs = await Effect.runPromise(below([]))
  const [root] = docs
  return [
    `.TH BOUGH 1 "" "${name} ${version()}" "User Commands"`,
    ".SH NAME",
    `${name} \\- ${text(root.description)}`,
    ".SH SYNOPSIS",
    ...docs.flatMap(({ usage }, index) => [...(index === 0 ? [] : [".br"]), text(HelpText.usage(usage))]),
    ".SH OPTIONS",
    ...root.flags.flatMap(flag),
    ...(root.globalFlags ?? []).flatMap(flag),
    ".SH COMMANDS",
    ...docs.slice(1).flatMap(command),
    ".SH EXAMPLES",
    ...(root.examples ?? []).flatMap((example) => [
      ".PP",
      text(example.description ?? ""),
      ".PP",
      ".RS",
      ".nf",
      text(example.command),
      ".fi",
      ".RE"
    ]),
    ".SH FILES",
    ...item("~/.config/bough/config.jsonc", `The configuration: ${name} config --help`),
    ...item(
      ".bough/config.jsonc, AGENTS.md, SKILL.md",
      "Instructions and settings of a project, used once it is trusted"
    ),
    ...item("~/.local/share/bough", "Sessions and memory; BOUGH_HOME sets another directory"),
    ""
  ].join("\n")
}

/** Returns the help of a command and of its subcommands, in their order. */
const below = (path: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<HelpDoc>> =>
  Effect.gen(function* () {
    const doc = yield* helpOf(name, path)
    const names = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
    const under = yield* Effect.forEach(names, (name) => below([...path, name]))
    return [doc, ...under.flat()]
  })

const command = (doc: HelpDoc): ReadonlyArray<string> => [
  `.SS ${text(HelpText.usage(doc.usage))}`,
  text(doc.description),
  ...(doc.args ?? []).flatMap((arg) =>
    item(
      arg.name,
      Option.getOrElse(arg.description, () => "")
    )
  ),
  ...doc.flags.flatMap(flag)
]

const flag = ({ aliases, description, name, type }: FlagDoc): ReadonlyArray<string> =>
  item(
    [...aliases, `--${name}${type === "boolean" ? "" : ` ${type}`}`].join(", "),
    Option.getOrElse(description, () => "")
  )

const item = (term: string, description: string): ReadonlyArray<string> => [
  ".TP",
  `.B ${text(term)}`,
  text(description)
]

/** Escapes a line so that roff treats it as plain text. */
const text = (line: string): string =>
  line
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("\n", " ")
    .replace(/^(?=[.'])/u, "\\&")
