/** The manual page, made of what `--help` says of every command. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as CommandLine from "../src/command-line/CommandLine.ts"
import * as HelpText from "../src/command-line/HelpText.ts"
import * as Parse from "../src/command-line/Parse.ts"
import { version } from "./derived.ts"

const name = "bough"

/** As roff. */
export const manPage = (): string => {
  const docs = Effect.runSync(below([]))
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
    ...item(".bough/config.jsonc, AGENTS.md, SKILL.md", "What a project says, once it is trusted"),
    ...item("~/.local/share/bough", "Sessions and what is remembered; BOUGH_HOME names another place"),
    ""
  ].join("\n")
}

/** The help of a command and of all below it, in their order. */
const below = (path: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<HelpDoc>> =>
  Effect.gen(function* () {
    const doc = yield* helpOf(path)
    const names = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
    const under = yield* Effect.forEach(names, (name) => below([...path, name]))
    return [doc, ...under.flat()]
  })

const helpOf = (path: ReadonlyArray<string>): Effect.Effect<HelpDoc> =>
  Effect.gen(function* () {
    const found: Array<HelpDoc> = []
    const presenter: CliOutput.Presenter = {
      present: (event) => Effect.sync(() => void (event._tag === "Help" && found.push(event.helpDoc)))
    }
    yield* Command.runWith(CommandLine.make(name, unused), { version: version(), renderErrors: false })([
      ...path,
      "--help"
    ]).pipe(Effect.provide(Parse.environment(presenter)), Effect.orDie)
    return found[0]
  })

/** Help runs no command. */
const unused = new Proxy({} as CommandLine.Handlers, { get: () => () => Effect.die(new Error("help ran a command")) })

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

/** A line that roff takes for nothing but text. */
const text = (line: string): string =>
  line
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("\n", " ")
    .replace(/^(?=[.'])/u, "\\&")
