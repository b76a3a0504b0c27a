/** Returns the help of a command as data, without running it: for the manual page, and for tests of the help. */
import type * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as CommandLine from "../src/command-line/CommandLine.ts"
import * as LoadedCommand from "../src/command-line/LoadedCommand.ts"
import * as Parse from "../src/command-line/Parse.ts"
import { commands } from "../src/commands/Commands.ts"

const noProgram = Effect.die(new Error("help ran a command"))

export const helpOf = (name: string, path: ReadonlyArray<string>): Effect.Effect<HelpDoc> =>
  Effect.gen(function* () {
    const found: Array<HelpDoc> = []
    const presenter: CliOutput.Presenter = {
      present: (event) => Effect.sync(() => void (event._tag === "Help" && found.push(event.helpDoc)))
    }
    const loaded = yield* LoadedCommand.load(commands, LoadedCommand.isNamedIn(path))
    yield* Command.runWith(CommandLine.make(name, noProgram, loaded), { version: "0", renderErrors: false })([
      ...path,
      "--help"
    ]).pipe(Effect.provide(Parse.environment(presenter)), Effect.orDie)
    return found[0]
  })
