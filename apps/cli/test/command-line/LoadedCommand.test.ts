/**
 * The list of commands: the part of the list that a command line loads, and the facts that are derived from the
 * declarations.
 */
import { assert, describe, it } from "@effect/vitest"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { sampled } from "../../../../test/thorough.ts"
import { helpOf } from "../../build/helpOf.ts"
import * as CommandLine from "../../src/command-line/CommandLine.ts"
import type { CommandEntry } from "../../src/command-line/CommandSpec.ts"
import * as LoadedCommand from "../../src/command-line/LoadedCommand.ts"
import { commands } from "../../src/commands/Commands.ts"

const folder = fileURLToPath(new URL("../../src/commands", import.meta.url))

/** Names of all commands that a command line loads, as paths. */
const loadedBy = (input: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const loaded: Array<string> = []
    const watched = (entries: ReadonlyArray<CommandEntry>, above: string): ReadonlyArray<CommandEntry> =>
      entries.map((entry) => ({
        ...entry,
        load: Effect.map(entry.load, (spec) => {
          const path = `${above}${entry.name}`
          loaded.push(path)
          return { ...spec, subcommands: watched(spec.subcommands, `${path} `) }
        })
      }))
    yield* LoadedCommand.load(watched(commands, ""), LoadedCommand.isNamedIn(input))
    return loaded
  })

const everyCommand = LoadedCommand.load(commands, () => true)

const pathsOf = (
  loaded: ReadonlyArray<LoadedCommand.LoadedCommand>,
  above: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> =>
  loaded.flatMap(({ entry, subcommands }) => {
    const path = [...above, entry.name]
    return [path, ...pathsOf(subcommands, path)]
  })

const valueFlagsOf = ({ flags }: HelpDoc): ReadonlyArray<string> =>
  flags.filter(({ type }) => type !== "boolean").map(({ name }) => `--${name}`)

const Word = Schema.Literals(["run", "memory", "search", "list", "tools", "x y", "--help", "--version", "-m", "--"])

describe("LoadedCommand", () => {
  it.effect.prop(
    "loads the commands that a word before -- names, and no others",
    [Schema.Array(Word)],
    ([input]) =>
      Effect.gen(function* () {
        const loaded = yield* loadedBy(input)
        const separator = input.indexOf("--")
        const before = separator === -1 ? input : input.slice(0, separator)
        const named = (name: string) => before.includes(name as typeof Word.Type)
        const every = pathsOf(yield* everyCommand)
        assert.deepStrictEqual(
          [...loaded].toSorted(),
          every
            .filter((path) => path.every(named))
            .map((path) => path.join(" "))
            .toSorted()
        )
      }),
    sampled({ arbitrary: { runs: 100 } })
  )

  it.effect("loads every command for a completion script", () =>
    Effect.gen(function* () {
      const every = pathsOf(yield* everyCommand).map((path) => path.join(" "))
      assert.isAbove(every.length, 40)
      assert.deepStrictEqual(yield* loadedBy(["--completions", "zsh"]), every)
      assert.deepStrictEqual(yield* loadedBy(["--completions=bash"]), every)
      assert.deepStrictEqual(yield* loadedBy(["run", "--", "--completions"]), ["run"])
    })
  )

  it.effect("derives the flags that take a value, which are those that the help shows with one", () =>
    Effect.gen(function* () {
      const all = pathsOf(yield* everyCommand)
      for (const path of [[], ...all]) {
        const loaded = yield* LoadedCommand.load(commands, LoadedCommand.isNamedIn(path))
        const derived = LoadedCommand.flagsWithValue(CommandLine.rootParameters, loaded)
        const doc = yield* helpOf("bough", path)
        const [known, unknown] = [doc.flags, []].map((flags) => valueFlagsOf({ ...doc, flags }))
        assert.deepStrictEqual(
          known.filter((flag) => !derived.has(flag)),
          unknown,
          path.join(" ")
        )
        for (const { name, type } of doc.flags) {
          if (type === "boolean") assert.isFalse(derived.has(`--${name}`), `${path.join(" ")} --${name}`)
        }
      }
      assert.isTrue(LoadedCommand.flagsWithValue(CommandLine.rootParameters, []).has("-m"))
    })
  )
})

describe("the folder of commands", () => {
  it("has one file per command, and the list of each group names its files", () =>
    Effect.runPromise(
      Effect.map(everyCommand, (loaded) => {
        const files = globSync("**/*.ts", { cwd: folder }).filter((file) => !notCommands.has(file))
        assert.strictEqual(files.length, pathsOf(loaded).length)
        for (const file of files)
          assert.match(readFileSync(join(folder, file), "utf8"), /^export const command\b/mu, file)
      })
    ))
})

/** The list and the root are not commands of the list. */
const notCommands = new Set(["Commands.ts", "Converse.ts"])
