/** The rules of every source file: short, with a header, named after its idea, and a reason for each disabled check. */
import { assert, describe, it } from "@effect/vitest"
import { basename, dirname } from "node:path"
import { apps, files, packages, sources, text } from "./repository.ts"

const linesOf = (file: string): number => text(file).split("\n").length - 1

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

/** Types that a program generated from the document of the gateway's API. */
const generated = "packages/client/src/Schema.ts"

const typescript = files.filter((file) => /\.tsx?$/.test(file) && file !== generated)

/** Lines of all TypeScript files that match, as `file:line text`. */
const linesThat = (test: (line: string, file: string) => boolean): ReadonlyArray<string> =>
  typescript.flatMap((file) =>
    text(file)
      .split("\n")
      .map((line, index) => ({ line, at: `${file}:${index + 1} ${line.trim()}` }))
      .filter(({ line }) => test(line, file))
      .map(({ at }) => at)
  )

describe("sources", () => {
  it("have a median under 150 lines", () => {
    assert.isAbove(sources.length, 50)
    assert.isBelow(median(sources.map(linesOf)), 150)
  })

  it("have no file over 400 lines, tests and scripts included", () => {
    assert.deepStrictEqual(
      typescript.filter((file) => linesOf(file) > 400),
      []
    )
  })

  it("start with a header about the module's purpose", () => {
    assert.deepStrictEqual(
      sources.filter((file) => !/^(#!.*\n)?\/\*\*/.test(text(file))),
      []
    )
  })

  it("are named after an idea, and not Utils, Common or Helpers", () => {
    const drawer = /^(core|common|shared|utils?|helpers?|types?|managers?|misc)$/i
    const names = sources.flatMap((file) => [basename(file).replace(/\.tsx?$/, ""), basename(dirname(file))])
    assert.deepStrictEqual(
      [...names, ...[...packages, ...apps].map(({ name }) => name)].filter((name) => drawer.test(name)),
      []
    )
  })

  it("give a reason wherever they disable a lint rule", () => {
    assert.deepStrictEqual(
      linesThat(
        (line) => /(oxlint|eslint)-disable/.test(line) && !/(oxlint|eslint)-disable[\w-]* \S.* -- \S.*/.test(line)
      ),
      []
    )
  })

  it("expect type errors only in type tests", () => {
    assert.deepStrictEqual(
      linesThat(
        (line, file) => /@ts-(expect-error|ignore|nocheck)/.test(line) && !/\/(typetest|fixtures)\//.test(file)
      ).filter((at) => !at.startsWith("test/sources.test.ts")),
      []
    )
  })

  it("run no async function and no try block in packages that run on Effect", () => {
    const beforeEffect = new Set(["packages/disk/src/Directory.ts", "packages/disk/src/HomeDirectory.ts"])
    const inPackages = new Set(
      sources.filter(
        (file) => /^packages\/(?!(client|create-bough-pack|tool-compiler)\/)/.test(file) && !beforeEffect.has(file)
      )
    )
    // The compiler of tools reads async functions, which then run under Effect.
    for (const file of sources.filter((one) => one.endsWith(".tools.ts")))
      inPackages.delete(file.replace(".tools.ts", ".ts"))
    assert.deepStrictEqual(
      linesThat(
        (line, file) =>
          inPackages.has(file) &&
          /\basync\s*(function\b|\*?\s*\(|\w+\s*=>|<)|\btry\s*\{|\bawait\s/.test(line) &&
          !/^\s*(\*|\/\/|\/\*)/.test(line)
      ),
      []
    )
  })

  it("keep no state in a module if many hosts share a process", () => {
    const inHost = new Set(sources.filter((file) => file.startsWith("packages/host/")))
    assert.isAbove(inHost.size, 20)
    assert.deepStrictEqual(
      linesThat(
        (line, file) =>
          inHost.has(file) &&
          /^(export )?(let |var |const \w+(: [^=]+)? = (new (Map|Set|WeakMap|WeakSet)\(\)|\[\]|\{\})$)/.test(line)
      ),
      []
    )
  })

  it("make directories with their parents in one function, which ends where Node's own loops forever", () => {
    const inSources = new Set(sources)
    assert.deepStrictEqual(
      linesThat((line, file) => inSources.has(file) && /\bmkdir(Sync)?\(.*\brecursive\b/.test(line)),
      []
    )
  })
})
