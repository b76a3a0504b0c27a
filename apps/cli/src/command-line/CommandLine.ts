/** The command line, over effect/cli: the conversation is its root command, and the listed commands are subcommands. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import type { CommandFailure } from "../CliFailure.ts"
import * as Converse from "../commands/Converse.ts"
import type { Program } from "../Program.ts"
import * as CommandSpec from "./CommandSpec.ts"
import * as CommonFlags from "./flags/CommonFlags.ts"
import * as LoadedCommand from "./LoadedCommand.ts"

/** Flags that are accepted before or after every command. */
export const rootParameters = { ...Converse.parameters, ...CommonFlags.common }

export const make = (
  name: string,
  program: Effect.Effect<Program>,
  commands: ReadonlyArray<LoadedCommand.LoadedCommand>
) => {
  const root = Command.make(name, Converse.parameters).pipe(Command.withSharedFlags(CommonFlags.common))
  const host: CommandSpec.CommandHost = { program, common: root }
  return root.pipe(
    Command.withDescription(Converse.description),
    Command.withHandler(({ cwd, packs, verbose, ...options }): Effect.Effect<void, CommandFailure> =>
      Effect.flatMap(program, (loadedProgram) =>
        Effect.andThen(
          CommandSpec.checkCommonFlags(loadedProgram, { cwd, packs, verbose }),
          Converse.converse(loadedProgram, { cwd, packs, verbose }, options)
        )
      )
    ),
    Command.withSubcommands(commands.map((one) => build(one, host))),
    Command.withExamples([
      { command: `${name} run "what does this project do?"`, description: "Print one answer" },
      { command: `${name} run --continue "now write the tests"`, description: "Continue the newest session" },
      { command: `${name} run -- "--help prints nothing: why?"`, description: "Send a prompt that looks like a flag" }
    ])
  )
}

const build = (
  { entry: { name, summary }, spec, subcommands }: LoadedCommand.LoadedCommand,
  host: CommandSpec.CommandHost
): CommandSpec.BuiltCommand =>
  spec === null
    ? Command.make(name).pipe(Command.withDescription(summary))
    : spec.build(name, summary, host).pipe(Command.withSubcommands(subcommands.map((one) => build(one, host))))
