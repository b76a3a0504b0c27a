/**
 * A command as its file declares it, and its line in the list of commands above it. Adding one takes a file and a line:
 * help, manual page, completions and the set of flags with values are derived from both.
 */
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { type CommandFailure, usage } from "../CliFailure.ts"
import * as SettingsFile from "@bough/host/config/Settings"
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
 * A line in a list of commands, enough for the parent's help. The rest is loaded when the command line names the
 * command.
 */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: Effect.Effect<CommandSpec>
}

/** Declares a command; every handler runs after `--cwd` was checked. */
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
        yield* checkDirectory(program, common)
        yield* run(program, common, options)
      })
    ).pipe(Command.withDescription(description ?? summary), Command.withShortDescription(summary))
})

/** Refuses a `--cwd` that is no directory, and a `--packs` that the `bough` entry did not consume. */
export const checkDirectory = (program: Program, { cwd, packs }: Common): Effect.Effect<void, CommandFailure> =>
  packs !== null
    ? Effect.fail(usage("--packs is of bough alone", `${program.name} has its own packs`))
    : cwd === null
      ? Effect.void
      : Effect.asVoid(SettingsFile.workspaceRoot(program.environment, cwd))

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
