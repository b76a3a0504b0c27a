/** The sandbox's test result is cached until a relevant fact changes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Sandbox, type Settings, type TrialCache } from "../src/index.ts"
import { bubblewrap, environment, place, runIn } from "./Places.ts"

const memory = () => {
  let text: string | null = null
  const writes: Array<string> = []
  const tried: TrialCache = {
    recall: () => text,
    remember: (kept) => {
      text = kept
      writes.push(kept)
    }
  }
  return { tried, writes, set: (kept: string | null) => (text = kept) }
}

describe.skipIf(bubblewrap.skip)(`A sandbox with a cached test${bubblewrap.suffix}`, () => {
  it.live("is not tested again, and works", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const { set, tried, writes } = memory()
      const first = yield* (yield* Sandbox.make({}, environment, { tried })).report
      assert.isTrue(first.available)
      assert.lengthOf(writes, 1)
      // The changed text in the report shows that the cache was used.
      set(writes[0].replaceAll("written: yes", "written: before"))
      const again = yield* Sandbox.make({}, environment, { tried })
      assert.include(JSON.stringify((yield* again.report).checks), "written: before")
      assert.strictEqual((yield* runIn(again, workspace)("echo works")).stdout, "works\n")
      assert.lengthOf(writes, 1)
    })
  )

  it.live("is tested again if the settings, the program or the variables differ, or the cache cannot be read", () =>
    Effect.gen(function* () {
      const { directory } = yield* place()
      const { set, tried, writes } = memory()
      const report = (settings: Partial<Settings.Settings>, more: Record<string, string> = {}) =>
        Effect.flatMap(Sandbox.make(settings, { ...environment, ...more }, { tried }), (made) => made.report)
      yield* report({})
      const copy = join(directory, "bwrap")
      copyFileSync("/usr/bin/bwrap", copy)
      yield* report({ program: copy })
      yield* report({ unixSockets: true })
      yield* report({}, { TZ: "UTC" })
      assert.lengthOf(writes, 4)
      for (const broken of ["", "{", '{"key":1}', JSON.stringify({ key: JSON.parse(writes[0]).key, checks: [] })]) {
        set(broken)
        yield* report({})
      }
      assert.lengthOf(writes, 8)
    })
  )

  it.live("is not queried for its options again, until its file changes", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const { tried } = memory()
      const program = join(directory, "bwrap")
      const askedFile = join(directory, "asked")
      const write = () => {
        const note = `[ "$1" = --help ] && echo asked >>'${askedFile}'`
        writeFileSync(program, `#!/bin/sh\n${note}\nexec /usr/bin/bwrap "$@"\n`, { mode: 0o755 })
      }
      const times = () => readFileSync(askedFile, "utf8").split("\n").length - 1
      const works = Effect.gen(function* () {
        const made = yield* Sandbox.make({ program }, environment, { tried })
        assert.strictEqual((yield* runIn(made, workspace)("echo works")).stdout, "works\n")
      })
      write()
      yield* works
      yield* works
      assert.strictEqual(times(), 1)
      write()
      yield* works
      assert.strictEqual(times(), 2)
    })
  )

  it.live("that failed is not cached", () =>
    Effect.gen(function* () {
      const { directory } = yield* place()
      const { tried, writes } = memory()
      const program = join(directory, "bwrap")
      writeFileSync(program, "#!/bin/sh\nexit 1\n", { mode: 0o755 })
      const report = yield* (yield* Sandbox.make({ program }, environment, { tried })).report
      assert.isFalse(report.available)
      assert.deepStrictEqual(writes, [])
    })
  )
})
