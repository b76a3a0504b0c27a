/** What every source file keeps to: small, headed by what it is for, named after its idea, silencing no check without a reason. */
import { assert, describe, it } from "@effect/vitest"
import { basename, dirname } from "node:path"
import { apps, files, packages, sources, text } from "./repository.ts"

const linesOf = (file: string): number => text(file).split("\n").length - 1

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

/** Types that a program wrote from the document of the gateway's API. */
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

  it("open with what the module is for", () => {
    assert.deepStrictEqual(
      sources.filter((file) => !/^(#!.*\n)?\/\*\*/.test(text(file))),
      []
    )
  })

  it("are named after an idea, not after a drawer", () => {
    const drawer = /^(core|common|shared|utils?|helpers?|types?|managers?|misc)$/i
    const names = sources.flatMap((file) => [basename(file).replace(/\.tsx?$/, ""), basename(dirname(file))])
    assert.deepStrictEqual(
      [...names, ...[...packages, ...apps].map(({ name }) => name)].filter((name) => drawer.test(name)),
      []
    )
  })

  it("give a reason wherever they switch a lint rule off", () => {
    assert.deepStrictEqual(
      linesThat(
        (line) => /(oxlint|eslint)-disable/.test(line) && !/(oxlint|eslint)-disable[\w-]* \S.* -- \S.*/.test(line)
      ),
      []
    )
  })

  it("expect type errors only where types are tested", () => {
    assert.deepStrictEqual(
      linesThat(
        (line, file) => /@ts-(expect-error|ignore|nocheck)/.test(line) && !/\/(typetest|fixtures)\//.test(file)
      ).filter((at) => !at.startsWith("test/sources.test.ts")),
      []
    )
  })

  it("run no async function and no try block in packages, where Effect is loaded", () => {
    const beforeEffect = "packages/disk/src/Directory.ts"
    const inPackages = new Set(
      sources.filter(
        (file) => /^packages\/(?!(client|create-bough-pack|tool-compiler)\/)/.test(file) && file !== beforeEffect
      )
    )
    // The compiler of tools reads async functions: what it makes of them runs under Effect.
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

  it("keep no state in a module where many hosts share a process", () => {
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

  it("make directories with those above them in one place, which ends where Node's own continues for ever", () => {
    const inSources = new Set(sources)
    assert.deepStrictEqual(
      linesThat((line, file) => inSources.has(file) && /\bmkdir(Sync)?\(.*\brecursive\b/.test(line)),
      []
    )
  })
})
