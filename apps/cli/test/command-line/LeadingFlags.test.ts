/** Flags before the name of a command, as other command lines accept them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as CommandLine from "../../src/command-line/CommandLine.ts"
import * as LeadingFlags from "../../src/command-line/LeadingFlags.ts"
import * as LoadedCommand from "../../src/command-line/LoadedCommand.ts"
import { commands } from "../../src/commands/Commands.ts"
import { withTestFolder } from "../program/Bough.ts"
import { bough } from "../program/InProcess.ts"

const moved = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const loaded = yield* LoadedCommand.load(commands, LoadedCommand.isNamedIn(args))
  return LeadingFlags.move(args, loaded, LoadedCommand.flagsWithValue(CommandLine.rootParameters, loaded))
})

describe("LeadingFlags", () => {
  it.effect.each([
    ["a flag with its value", "--model a/b run hi", "run --model a/b hi"],
    ["a value that names a command", "--model run run hi", "run --model run hi"],
    ["a value behind =", "--model=a/b run hi", "run --model=a/b hi"],
    ["a short flag and a toggle", "-m a/b --continue run hi", "run -m a/b --continue hi"],
    ["a flag of a subcommand", "--format json sessions list --all", "sessions list --format json --all"],
    ["no flag that every command has", "--cwd /tmp --model a/b run hi", "--cwd /tmp run --model a/b hi"],
    ["no flag that the command lacks", "--model a/b doctor", "--model a/b doctor"],
    ["nothing before --", "-- run --model a/b", "-- run --model a/b"],
    ["nothing without a command", "--model a/b", "--model a/b"],
    ["nothing behind another word", "hi --model a/b run", "hi --model a/b run"],
    ["no flag without its value", "run hi --model", "run hi --model"]
  ] as const)("moves %s", ([, args, expected]) =>
    Effect.map(moved(args.split(" ")), (words) => assert.strictEqual(words.join(" "), expected))
  )

  it("lets a run choose its model before its name", () =>
    withTestFolder(async (place) => {
      const { code, stderr, stdout } = await bough(place, ["-m", "offline/planner", "--format", "json", "run", "hi"])
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual((JSON.parse(stdout) as { readonly status: string }).status, "completed")
    }))
})
