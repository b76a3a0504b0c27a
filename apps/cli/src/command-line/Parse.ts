/** Parses the command line and runs the command; an error in the line is a usage failure of one sentence. */
import { nearest } from "@bough/host/config/Nearest"
import { HostFailure } from "@bough/host/HostFailure"
import { join, text } from "@bough/tui/text/SafeText"
import * as CliConfig from "effect/cli/CliConfig"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import { CliFailure, type CommandFailure, usage } from "../CliFailure.ts"
import { commands } from "../commands/Commands.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"
import * as Arguments from "./Arguments.ts"
import * as CommandLine from "./CommandLine.ts"
import * as ForeignFlags from "./ForeignFlags.ts"
import * as HelpText from "./HelpText.ts"
import * as LeadingFlags from "./LeadingFlags.ts"
import * as LoadedCommand from "./LoadedCommand.ts"

/** Runs the command that the words name; an invalid command line fails with one sentence and a hint. */
export const run = (program: Program, args: ReadonlyArray<string>): Effect.Effect<void, CliFailure> =>
  Effect.gen(function* () {
    const loaded = yield* LoadedCommand.load(commands, LoadedCommand.isNamedIn(args))
    const showsHelpFirst =
      args.length === 1 && loaded.some(({ entry, spec }) => entry.name === args[0] && spec?.showsHelpFirst === true)
    if (showsHelpFirst) yield* runWords(program, loaded, [...args, "--help"])
    yield* runWords(program, loaded, args)
  })

const runWords = (
  program: Program,
  loaded: ReadonlyArray<LoadedCommand.LoadedCommand>,
  args: ReadonlyArray<string>
): Effect.Effect<void, CliFailure> =>
  Effect.suspend(() => {
    const parsed: { words: ReadonlyArray<string>; doc: HelpDoc | null; refusedDoc: HelpDoc | null } = {
      words: Arguments.wordsAfterHelp(args) ?? [],
      doc: null,
      refusedDoc: null
    }
    const flagsWithValue = LoadedCommand.flagsWithValue(CommandLine.rootParameters, loaded)
    return Command.runWith(CommandLine.make(program.name, Effect.succeed(program), loaded), {
      version: [program.version, ...program.packVersions.map((line) => `  ${line}`)].join("\n"),
      renderErrors: false
    })(Arguments.prepare(LeadingFlags.move(args, loaded, flagsWithValue), flagsWithValue)).pipe(
      Effect.mapError((error) => failureOf(program.name, error, flagsOf(parsed.refusedDoc))),
      Effect.provide(
        environment(
          presenter(
            program.output,
            (doc) => void (parsed.doc = doc),
            (doc) => void (parsed.refusedDoc = doc)
          )
        )
      ),
      // Effect's flag prints the completions itself, and runs no command.
      LoadedCommand.requestsCompletions(args)
        ? Effect.provideService(Console.Console, answerConsole(program.output))
        : identity,
      Effect.flatMap(() => (parsed.doc === null ? Effect.void : help(program, parsed.doc, parsed.words)))
    )
  })

/**
 * Passes help to `show` if the command line requests it; an invalid command line fails with an error of one line
 * instead, and passes the help of its command to `refuse`.
 */
const presenter = (
  output: Program["output"],
  show: (doc: HelpDoc) => void,
  refuse: (doc: HelpDoc) => void
): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag !== "Help") {
      return Effect.provideService(CliOutput.defaultPresenter.present(event), Console.Console, answerConsole(output))
    }
    return Effect.sync(() => (event.reason === "Implicit" ? refuse : show)(event.helpDoc))
  }
})

/** Returns a console that prints versions and completions as answers of the program. */
const answerConsole = (output: Program["output"]): Console.Console =>
  Object.assign(Object.create(globalThis.console) as Console.Console, {
    log: (text: string) => output.answer(`${text}\n`)
  })

const flagsOf = (doc: HelpDoc | null): ReadonlySet<string> =>
  new Set(doc === null ? [] : [...doc.flags, ...(doc.inheritedFlags ?? [])].map(({ name }) => name))

/** The longest lines of the help: longer ones are hard to read, and a pipe has no width. */
const maxColumns = 100

/** `words`: the words after `help`, each of which has to name a command. */
const help = ({ output }: Program, doc: HelpDoc, words: ReadonlyArray<string>): Effect.Effect<void, CliFailure> => {
  const path = doc.commandPath ?? []
  const unknown = words[path.length - 1]
  if (unknown !== undefined) return Effect.fail(noCommand(unknown, path, nearestOf(unknown, doc)))
  const columns = output.stdoutIsTerminal ? Math.min(maxColumns, output.columns()) : maxColumns
  return Effect.sync(() => output.answerEscaped(text`${join(HelpText.rows(doc, columns), text`\n`)}\n`))
}

const nearestOf = (word: string, { subcommands = [] }: HelpDoc): ReadonlyArray<string> => {
  const near = nearest(
    word,
    subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
  )
  return near === null ? [] : [near]
}

const unused = Effect.die(new Error("the command line reads no file and no key"))

// Replaces the platform's services: parsing opens no stream, prompts for nothing and starts no process.
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

/** `flags`: those of the refused command. */
const failureOf = (name: string, error: CommandFailure | CliError.CliError, flags: ReadonlySet<string>): CliFailure =>
  error instanceof CliFailure || error instanceof HostFailure ? toCliFailure(error) : usageOf(name, error, flags)

const usageOf = (name: string, error: CliError.CliError, flags: ReadonlySet<string>): CliFailure => {
  if (error._tag !== "ShowHelp") return usage(error.message, `run "${name} --help"`)
  const path = error.commandPath
  const [first] = error.errors
  return first === undefined
    ? usage("a command is missing", `"${path.join(" ")} --help" lists the commands`)
    : describe(first, path, flags)
}

const noCommand = (word: string, path: ReadonlyArray<string>, suggestions: ReadonlyArray<string>): CliFailure => {
  const command = path.join(" ")
  const foreignHint = path.length > 1 ? null : ForeignFlags.command(word, path[0])
  const hint = foreignHint ?? (path.length > 1 ? null : `'${command} run "…"' sends a prompt`)
  return usage(
    `unknown command ${JSON.stringify(word)}${foreignHint === null ? suggestion(suggestions) : ""}`,
    `${hint === null ? "" : `${hint}, `}"${command} --help" lists the commands`
  )
}

const describe = (
  error: CliError.NonShowHelpErrors,
  path: ReadonlyArray<string>,
  flags: ReadonlySet<string>
): CliFailure => {
  const help = `run "${path.join(" ")} --help"`
  switch (error._tag) {
    case "UnrecognizedOption": {
      const here = ForeignFlags.flag(error.option, path[0], flags)
      return here === null
        ? usage(`unknown flag ${error.option}${suggestion(error.suggestions)}`, help)
        : usage(`unknown flag ${error.option}`, `${here}; ${help}`)
    }
    case "UnknownSubcommand":
      return noCommand(error.subcommand, path, error.suggestions)
    case "MissingOption":
      return usage(`--${error.option} is required`, help)
    case "MissingArgument":
      return usage(`${error.argument} is required`, help)
    case "UnexpectedArgument":
      return usage(
        `unexpected argument ${error.arguments.map((value) => JSON.stringify(value)).join(", ")}`,
        `put text with spaces in quotes; ${help}`
      )
    case "InvalidValue":
      return usage(`${invalidValueText(error)}: ${expectedText(error.expected)}`, help)
    default:
      return usage(error.message, help)
  }
}

const suggestion = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`

const invalidValueText = ({ kind, option, value }: CliError.InvalidValue): string => {
  const name = `${kind === "flag" ? "--" : ""}${option}`
  return value === "" ? `${name} needs a value` : `${name} cannot be ${JSON.stringify(value)}`
}

/** Turns `"a" | "b"` and `a | b` into `choose one of a, b`, and leaves sentences unchanged. */
const expectedText = (text: string): string => {
  const first = text.split("\n")[0].trim()
  const choices = first.split(" | ").map((choice) => choice.replaceAll('"', ""))
  if (choices.length > 1) return `choose one of ${choices.join(", ")}`
  if (first.includes("finite number")) return "write a number"
  // The name of the value alone, such as PROVIDER/MODEL.
  if (first === first.toUpperCase()) return first
  return first.charAt(0).toLowerCase() + first.slice(1)
}
