/** Parses the command line and runs the command; what is wrong with the line is a usage Stop of one sentence. */
import type { Stop as StopType } from "../Stop.ts"
import { Stop, usage } from "../Stop.ts"
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
import * as Arguments from "./Arguments.ts"
import * as CommandLine from "./CommandLine.ts"

export interface Program {
  readonly name: string
  readonly version: string
  readonly handlers: CommandLine.Handlers
}

export const run = (program: Program, given: ReadonlyArray<string>): Effect.Effect<void, StopType> =>
  Command.runWith(CommandLine.make(program.name, program.handlers), { version: program.version, renderErrors: false })(
    Arguments.prepare(given)
  ).pipe(
    Effect.mapError((error) => (error instanceof Stop ? error : stopOf(program.name, error))),
    Effect.provide(environment(presenter))
  )

/** Help is printed where it was asked for; a wrong line is answered in one line instead. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "Help" && event.reason === "Implicit" ? Effect.void : CliOutput.defaultPresenter.present(event)
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
  const path = error.commandPath.join(" ")
  const isRoot = error.commandPath.length === 1
  const [first] = error.errors
  return first === undefined
    ? usage("this needs a command", `${path} --help lists them`)
    : describe(first, { path, isRoot })
}

interface At {
  /** The command and those that it is part of. */
  readonly path: string
  readonly isRoot: boolean
}

const describe = (error: CliError.NonShowHelpErrors, { isRoot, path }: At): StopType => {
  const help = `${path} --help shows how`
  switch (error._tag) {
    case "UnrecognizedOption":
      return usage(`there is no flag ${error.option}${meant(error.suggestions)}`, help)
    case "UnknownSubcommand":
      return usage(
        `there is no command ${JSON.stringify(error.subcommand)}${meant(error.suggestions)}`,
        `${isRoot ? `${path} run "…" sends a prompt, ` : ""}${path} --help lists the commands`
      )
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
  return first.charAt(0).toLowerCase() + first.slice(1)
}
