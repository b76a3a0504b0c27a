/** Parses the command line and runs the command; what is wrong with the line is a usage Stop of one sentence. */
import { join, text } from "@bough/tui/text/SafeText"
import { HostFailure } from "@bough/host/HostFailure"
import type { CliFailure as StopType, CommandFailure } from "../CliFailure.ts"
import { CliFailure, usage } from "../CliFailure.ts"
import { toCliFailure } from "../Failures.ts"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import * as CliConfig from "effect/cli/CliConfig"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { nearest } from "@bough/host/config/Nearest"
import type { Output } from "../io/Output.ts"
import * as Arguments from "./Arguments.ts"
import * as CommandLine from "./CommandLine.ts"
import * as ForeignFlags from "./ForeignFlags.ts"
import * as HelpText from "./HelpText.ts"

export interface Program {
  readonly name: string
  readonly version: string
  readonly output: Pick<Output["Service"], "answerEscaped" | "columns" | "stdoutIsTerminal">
  readonly handlers: CommandLine.Handlers
}

export const run = (program: Program, given: ReadonlyArray<string>): Effect.Effect<void, StopType> =>
  Arguments.wantsHelpFirst(given)
    ? Effect.andThen(runWords(program, [...given, "--help"]), runWords(program, given))
    : runWords(program, given)

const runWords = (program: Program, given: ReadonlyArray<string>): Effect.Effect<void, StopType> =>
  Effect.suspend(() => {
    const helped: { words: ReadonlyArray<string>; doc: HelpDoc | null } = {
      words: Arguments.helped(given) ?? [],
      doc: null
    }
    return Command.runWith(CommandLine.make(program.name, program.handlers), {
      version: program.version,
      renderErrors: false
    })(Arguments.prepare(given)).pipe(
      Effect.mapError((error) => failureOf(program.name, error)),
      Effect.provide(environment(presenter((doc) => void (helped.doc = doc)))),
      Effect.flatMap(() => (helped.doc === null ? Effect.void : help(program, helped.doc, helped.words)))
    )
  })

const failureOf = (name: string, error: CommandFailure | CliError.CliError): StopType =>
  error instanceof CliFailure || error instanceof HostFailure ? toCliFailure(error) : stopOf(name, error)

/** Help is kept for `show` where it was asked for; a wrong line is answered in one line instead. */
const presenter = (show: (doc: HelpDoc) => void): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag !== "Help") return CliOutput.defaultPresenter.present(event)
    return event.reason === "Implicit" ? Effect.void : Effect.sync(() => show(event.helpDoc))
  }
})

/** Longer lines are hard to read, and a pipe has no width. */
const mostColumns = 100

/** `words`: those of `help words`; none of them was taken for anything but a command. */
const help = ({ output }: Program, doc: HelpDoc, words: ReadonlyArray<string>): Effect.Effect<void, StopType> => {
  const path = doc.commandPath ?? []
  const unknown = words[path.length - 1]
  if (unknown !== undefined) return Effect.fail(noCommand(unknown, path, nearestOf(unknown, doc)))
  const columns = output.stdoutIsTerminal ? Math.min(mostColumns, output.columns()) : mostColumns
  return Effect.sync(() => output.answerEscaped(text`${join(HelpText.rows(doc, columns), text`\n`)}\n`))
}

const nearestOf = (word: string, { subcommands = [] }: HelpDoc): ReadonlyArray<string> => {
  const near = nearest(
    word,
    subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
  )
  return near === null ? [] : [near]
}

const unused = Effect.die(new Error("the command line reads no files and asks nothing"))

// Stands in for the platform: nothing here opens a stream, prompts, or starts a process.
export const environment = (presenter: CliOutput.Presenter) =>
  Layer.mergeAll(
    FileSystem.layerNoop({}),
    Path.layer,
    Stdio.layerTest({}),
    Layer.succeed(
      Terminal.Terminal,
      Terminal.make({
        columns: Effect.succeed(80),
        rows: Effect.succeed(24),
        size: unused,
        readInput: unused,
        readLine: unused,
        display: () => Effect.void
      })
    ),
    Layer.succeed(
      ChildProcessSpawner.ChildProcessSpawner,
      ChildProcessSpawner.make(() => unused)
    ),
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    CliOutput.layerPresenter(presenter)
  )

const stopOf = (name: string, error: CliError.CliError): StopType => {
  if (error._tag !== "ShowHelp") return usage(error.message, `${name} --help shows how`)
  const path = error.commandPath
  const [first] = error.errors
  return first === undefined
    ? usage("this needs a command", `${path.join(" ")} --help lists them`)
    : describe(first, path)
}

const noCommand = (word: string, path: ReadonlyArray<string>, suggestions: ReadonlyArray<string>): StopType => {
  const command = path.join(" ")
  const elsewhere = path.length > 1 ? null : ForeignFlags.command(word, path[0])
  const hint = elsewhere ?? (path.length > 1 ? null : `${command} run "…" sends a prompt`)
  return usage(
    `there is no command ${JSON.stringify(word)}${elsewhere === null ? meant(suggestions) : ""}`,
    `${hint === null ? "" : `${hint}, `}${command} --help lists the commands`
  )
}

const describe = (error: CliError.NonShowHelpErrors, path: ReadonlyArray<string>): StopType => {
  const help = `${path.join(" ")} --help shows how`
  switch (error._tag) {
    case "UnrecognizedOption": {
      const here = ForeignFlags.flag(error.option, path[0])
      return here === null
        ? usage(`there is no flag ${error.option}${meant(error.suggestions)}`, help)
        : usage(`there is no flag ${error.option}`, `${here}; ${help}`)
    }
    case "UnknownSubcommand":
      return noCommand(error.subcommand, path, error.suggestions)
    case "MissingOption":
      return usage(`--${error.option} is missing`, help)
    case "MissingArgument":
      return usage(`${error.argument} is missing`, help)
    case "UnexpectedArgument":
      return usage(
        `there is no place for ${error.arguments.map((value) => JSON.stringify(value)).join(", ")}`,
        `put what has spaces in quotes; ${help}`
      )
    case "InvalidValue":
      return usage(`${refused(error)}: ${expected(error.expected)}`, help)
    default:
      return usage(error.message, help)
  }
}

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`

const refused = ({ kind, option, value }: CliError.InvalidValue): string => {
  const name = `${kind === "flag" ? "--" : ""}${option}`
  return value === "" ? `${name} needs a value` : `${name} cannot be ${JSON.stringify(value)}`
}

/** `"a" | "b"` and `a | b` as `it is one of a, b`; sentences as they stand. */
const expected = (text: string): string => {
  const first = text.split("\n")[0].trim()
  const choices = first.split(" | ").map((choice) => choice.replaceAll('"', ""))
  if (choices.length > 1) return `it is one of ${choices.join(", ")}`
  // The name of the value alone, such as PROVIDER/MODEL.
  if (first === first.toUpperCase()) return first
  return first.charAt(0).toLowerCase() + first.slice(1)
}
