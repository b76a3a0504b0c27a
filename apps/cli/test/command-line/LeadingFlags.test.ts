/** Flags before the name of a command, as other command lines accept them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as CommandLine from "../../src/command-line/CommandLine.ts"
import * as LeadingFlags from "../../src/command-line/LeadingFlags.ts"
import * as LoadedCommand from "../../src/command-line/LoadedCommand.ts"
import { commands } from "../../src/commands/Commands.ts"
import { withTestFolder } from "../program/Bough.ts"
import { bough } from "../program/InProcess.ts"

const moveFlags = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const loaded = yield* LoadedCommand.load(commands, LoadedCommand.isNamedIn(args))
  return LeadingFlags.move(args, loaded, LoadedCommand.flagsWithValue(CommandLine.rootParameters, loaded))
})

describe("LeadingFlags", () => {
  it.effect.each([
    ["moves a flag with its value behind the command", "--model a/b run hi", "run --model a/b hi"],
    ["moves a value that is also the name of a command with its flag", "--model run run hi", "run --model run hi"],
    ["moves a flag whose value is behind =", "--model=a/b run hi", "run --model=a/b hi"],
    ["moves a short flag, and a flag without a value", "-m a/b --continue run hi", "run -m a/b --continue hi"],
    [
      "moves a flag behind the subcommand that has it",
      "--format json sessions list --all",
      "sessions list --format json --all"
    ],
    [
      "leaves a flag that every command has in its place",
      "--cwd /tmp --model a/b run hi",
      "--cwd /tmp run --model a/b hi"
    ],
    ["leaves a flag in its place that the command does not have", "--model a/b doctor", "--model a/b doctor"],
    ["takes no word after -- for a command", "-- run --model a/b", "-- run --model a/b"],
    ["leaves flags in their place if no command follows", "--model a/b", "--model a/b"],
    ["leaves a flag in its place that follows another word", "hi --model a/b run", "hi --model a/b run"],
    ["leaves a flag in its place that follows the command", "run hi --model", "run hi --model"]
  ] as const)("%s", ([, args, expected]) =>
    Effect.map(moveFlags(args.split(" ")), (words) => assert.strictEqual(words.join(" "), expected))
  )

  it("runs a command whose flags were given before its name", () =>
    withTestFolder(async (place) => {
      const { code, stderr, stdout } = await bough(place, ["-m", "offline/planner", "--format", "json", "run", "hi"])
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual((JSON.parse(stdout) as { readonly status: string }).status, "completed")
    }))
})
