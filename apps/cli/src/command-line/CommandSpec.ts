/**
 * A command as its file declares it, and its line in the parent's list of commands. Adding one takes a file and a line:
 * help, manual page, completions, and the names of the flags that take a value are derived from both.
 */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { type CommandFailure, usage } from "../CliFailure.ts"
import type { Program } from "../Program.ts"
import type { Common } from "./flags/CommonFlags.ts"

/** The values that a handler gets for the flags and arguments of its command. */
export type CommandOptions<Parameters extends Command.Command.Config> = Command.Command.Config.Infer<Parameters>

interface Declaration<Parameters extends Command.Command.Config> {
  /** The help text if it says more than the summary in the list; default: the summary. */
  readonly description?: string
  readonly parameters: Parameters
  readonly run: (
    program: Program,
    common: Common,
    options: CommandOptions<Parameters>
  ) => Effect.Effect<void, CommandFailure>
  readonly subcommands?: ReadonlyArray<CommandEntry>
  /** Prints the help before the result if the command line contains only the command's name. */
  readonly showsHelpFirst?: boolean
}

/** The context in which a handler runs. */
export interface CommandHost {
  readonly program: Effect.Effect<Program>
  readonly common: Effect.Effect<Common, never, Command.CommandContext<string>>
}

export type BuiltCommand = Command.Command<string, never, {}, CommandFailure, Command.CommandContext<string>>

export interface CommandSpec {
  readonly parameters: Command.Command.Config
  readonly subcommands: ReadonlyArray<CommandEntry>
  readonly showsHelpFirst: boolean
  readonly build: (name: string, summary: string, host: CommandHost) => BuiltCommand
}

/**
 * A line in a list of commands, enough for the parent's help. `lazyEntry` loads the rest when the command line names
 * the command.
 */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: Effect.Effect<CommandSpec>
}

/** Declares a command; every handler runs after the common flags were checked. */
export const command = <const Parameters extends Command.Command.Config>({
  description,
  parameters,
  run,
  showsHelpFirst = false,
  subcommands = []
}: Declaration<Parameters>): CommandSpec => ({
  parameters,
  subcommands,
  showsHelpFirst,
  build: (name, summary, host) =>
    Command.make(name, parameters, (options) =>
      Effect.gen(function* () {
        const common = yield* host.common
        const program = yield* host.program
        yield* checkCommonFlags(program, common)
        yield* run(program, common, options)
      })
    ).pipe(Command.withDescription(description ?? summary), Command.withShortDescription(summary))
})

/**
 * Refuses a `--cwd` that is not a directory, and `--packs` in a program with its own packs: `bough` consumes that flag
 * before it loads the commands.
 */
export const checkCommonFlags = (program: Program, { cwd, packs }: Common): Effect.Effect<void, CommandFailure> => {
  if (packs !== null)
    return Effect.fail(usage("--packs works only with bough", `${program.name} is built with its packs`))
  return cwd === null ? Effect.void : Effect.asVoid(SettingsFile.workspaceRoot(program.environment, cwd))
}

/** A command that every start loads. */
export const entry = (name: string, summary: string, spec: CommandSpec): CommandEntry => ({
  name,
  summary,
  load: Effect.succeed(spec)
})

/** A command whose file is loaded once the command line names it. */
export const lazyEntry = (
  name: string,
  summary: string,
  load: () => Promise<{ readonly command: CommandSpec }>
): CommandEntry => ({ name, summary, load: Effect.map(Effect.promise(load), (loaded) => loaded.command) })
