/** Examples in the documents name commands and flags that exist, and configurations that are accepted. */
import * as ConfigFile from "@bough/host/config/ConfigFile"
import * as ConfigSchema from "@bough/host/config/ConfigSchema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { files, text } from "../../../test/repository.ts"
import { fencesOf } from "../../../test/slow/fences.ts"
import { helpOf } from "../build/helpOf.ts"
import * as CommonFlags from "../src/command-line/flags/CommonFlags.ts"
import * as LoadedCommand from "../src/command-line/LoadedCommand.ts"
import { commands } from "../src/commands/Commands.ts"

const documents = files.filter((file) => /^(?:README\.md|docs\/.*\.md|apps\/cli\/README\.md)$/u.test(file))

/** The words of a command line before a comment, a pipe or the next command; quoted text is one word. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  /^[^#|&;>()]*/u.exec(line.replaceAll(/'[^']*'|"[^"]*"/gu, "QUOTED"))?.[0].match(/\S+/gu) ?? []

/** The arguments of each use of the command, in blocks of shell and in code of the text. */
const usesIn = (file: string): ReadonlyArray<ReadonlyArray<string>> => {
  const shell = fencesOf(file).flatMap(({ body, info }) => (/^sh\b/u.test(info) ? body.split("\n") : []))
  const inline = Array.from(text(file).matchAll(/`((?:npx|bough) [^`\n]+)`/gu), ([, code = ""]) => code)
  return [...shell, ...inline].flatMap((line) =>
    Array.from(line.matchAll(/(?:^|[\s(])(?:bough|npx -y pnpm@[\d.]+ start) (\S.*)/gu), ([, rest = ""]) =>
      wordsOf(rest)
    )
  )
}

/** The commands with their paths, such as `memory search`. */
const pathsOf = (loaded: ReadonlyArray<LoadedCommand.LoadedCommand>, above = ""): ReadonlyArray<string> =>
  loaded.flatMap(({ entry, subcommands }) => {
    const path = `${above}${entry.name}`
    return [path, ...pathsOf(subcommands, `${path} `)]
  })

const isFlag = (word: string): boolean => /^--?[a-z]/u.test(word)

describe("examples in the documents", () => {
  it.effect("name commands and flags that exist", () =>
    Effect.gen(function* () {
      const paths = new Set(pathsOf(yield* LoadedCommand.load(commands, () => true)))
      const flags = new Map<string, ReadonlySet<string>>()
      const faults: Array<string> = []
      let uses = 0
      for (const file of documents) {
        for (const words of usesIn(file)) {
          uses++
          const depth = [2, 1].find((length) => paths.has(words.slice(0, length).join(" "))) ?? 0
          const path = words.slice(0, depth)
          const key = path.join(" ")
          const own = flags.get(key) ?? (yield* flagsOf(path))
          flags.set(key, own)
          const [first = "--"] = words
          if (depth === 0 && !first.startsWith("-")) faults.push(`${file}: no command ${first}`)
          for (const flag of words.filter(isFlag)) {
            if (!own.has(flag)) faults.push(`${file}: ${key} has no ${flag}`)
          }
        }
      }
      assert.deepStrictEqual(faults, [])
      assert.isAbove(uses, 100)
    })
  )

  it.effect("are accepted as configuration", () =>
    Effect.gen(function* () {
      const blocks = documents.flatMap((file) =>
        fencesOf(file).flatMap(({ body, info }) =>
          info === "jsonc" && !body.includes("agent_servers") ? [{ name: file, text: body }] : []
        )
      )
      assert.isAbove(blocks.length, 12)
      const variables = Object.fromEntries(
        blocks.flatMap(({ text }) => Array.from(text.matchAll(/\$\{(\w+)\}/gu), ([, name = ""]) => [name, "x"]))
      )
      for (const block of blocks) {
        yield* ConfigFile.read(block, { schema: ConfigSchema.User, variables, operatorSchema: null })
      }
    })
  )
})

/** Every command takes them; the help of one command lists its own. */
const common = Object.keys(CommonFlags.common).map((name) => `--${name}`)

const flagsOf = (path: ReadonlyArray<string>) =>
  Effect.map(
    helpOf("bough", path),
    ({ flags, globalFlags = [] }) =>
      new Set([...common, ...[...flags, ...globalFlags].flatMap(({ aliases, name }) => [`--${name}`, ...aliases])])
  )
