/** Loads the commands whose names are among the words of a command line, and no other. */
import type * as Command from "effect/cli/Command"
import * as Param from "effect/cli/Param"
import * as Effect from "effect/Effect"
import type { CommandEntry, CommandSpec } from "./CommandSpec.ts"

/** `spec` is null if no word names the command: its entry is enough for the list of commands in the help. */
export interface LoadedCommand {
  readonly entry: CommandEntry
  readonly spec: CommandSpec | null
  readonly subcommands: ReadonlyArray<LoadedCommand>
}

const wordsBeforeSeparator = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const separator = args.indexOf("--")
  return separator === -1 ? args : args.slice(0, separator)
}

/** Tests if the command line requests a completion script. */
export const requestsCompletions = (args: ReadonlyArray<string>): boolean =>
  wordsBeforeSeparator(args).some((word) => /^--completions(?:=|$)/u.test(word))

/** Tests if a word before `--` names a command; a request for a completion script names every command. */
export const isNamedIn = (args: ReadonlyArray<string>): ((name: string) => boolean) => {
  const words = new Set(wordsBeforeSeparator(args))
  const isEvery = requestsCompletions(args)
  return (name) => isEvery || words.has(name)
}

export const load = (
  entries: ReadonlyArray<CommandEntry>,
  isNamed: (name: string) => boolean
): Effect.Effect<ReadonlyArray<LoadedCommand>> =>
  Effect.forEach(entries, (entry) =>
    Effect.gen(function* () {
      if (!isNamed(entry.name)) return { entry, spec: null, subcommands: [] }
      const spec = yield* entry.load
      return { entry, spec, subcommands: yield* load(spec.subcommands, isNamed) }
    })
  )

/** The names of flags that take a value, with their dashes: the next word after such a flag is its value. */
export const flagsWithValue = (
  parameters: Command.Command.Config,
  commands: ReadonlyArray<LoadedCommand>
): ReadonlySet<string> =>
  new Set([
    ...ownFlagsWithValue(parameters),
    ...commands.flatMap(({ spec, subcommands }) =>
      spec === null ? [] : [...flagsWithValue(spec.parameters, subcommands)]
    )
  ])

const ownFlagsWithValue = (parameters: Command.Command.Config): ReadonlyArray<string> =>
  flagsOf(parameters)
    .filter(({ primitiveType }) => primitiveType._tag !== "Boolean")
    .flatMap(namesOf)

/** The names of the command's own flags, with their dashes. */
export const flagNames = ({ spec }: LoadedCommand): ReadonlySet<string> =>
  new Set(spec === null ? [] : flagsOf(spec.parameters).flatMap(namesOf))

const flagsOf = (parameters: Command.Command.Config) =>
  Object.values(parameters)
    .filter(Param.isParam)
    .flatMap(singlesOf)
    .filter(({ kind }) => kind === "flag")

const namesOf = ({ aliases, name }: Param.Single<Param.ParamKind, unknown>): ReadonlyArray<string> => [
  `--${name}`,
  ...aliases.map((alias) => `-${alias}`)
]

/** Returns the single parameters that a parameter wraps, or the parameter itself. */
const singlesOf = (parameter: Param.Any): ReadonlyArray<Param.Single<Param.ParamKind, unknown>> => {
  if (Param.isSingle(parameter)) return [parameter]
  return "param" in parameter && Param.isParam(parameter.param) ? singlesOf(parameter.param) : []
}
