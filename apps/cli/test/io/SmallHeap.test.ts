/** The heap of a process that makes garbage beside its live data. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { put, start, withTestFolder } from "../program/Bough.ts"
import { type Answer, say, withModel } from "../program/ModelServer.ts"

const module = fileURLToPath(new URL("../../src/io/SmallHeap.ts", import.meta.url))

/** Returns the largest heap in bytes of a process that keeps 45 MB, once the engine has seen how long objects live. */
const largestHeap = (before: string): number => {
  const program = `
    import { getHeapStatistics } from "node:v8"
    ${before}
    const made = () => Array.from({ length: 1000 }, (_, at) => ({ at, text: [at] }))
    const kept = Array.from({ length: 300 }, made)
    const ring = []
    let largest = 0
    for (let round = 0; round < 4000; round++) {
      // Old enough to leave the young generation before it is dropped.
      ring[round % 100] = made()
      if (round > 2000) largest = Math.max(largest, getHeapStatistics().used_heap_size)
    }
    process.stdout.write(String(kept.length === 300 ? largest : 0))
  `
  const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })
  assert.match(stdout, /^[1-9]\d+$/u, stderr)
  return Number(stdout)
}

/** Returns the median of three runs, because the time at which the garbage collector runs depends on the machine. */
const usualHeap = (before: string): number =>
  Array.from({ length: 3 }, () => largestHeap(before)).toSorted((a, b) => a - b)[1] ?? 0

/** Runs a program in which `SmallHeap` is the module, and returns the JSON that it prints. */
const printed = (program: string, ...options: ReadonlyArray<string>): unknown => {
  const whole = `const SmallHeap = await import(${JSON.stringify(module)})\n${program}`
  const args = ["--no-warnings", "--conditions=development", ...options, "--input-type=module", "-e", whole]
  const { stderr, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
  assert.match(stdout, /^[[{]/u, stderr)
  return JSON.parse(stdout)
}

/** Records the flags that a program sets in its engine, for `node --require`. */
const recordFlags = `
  const v8 = require("node:v8")
  const { setFlagsFromString } = v8
  v8.setFlagsFromString = (flags) => {
    require("node:fs").appendFileSync(process.env.FLAGS_FILE, flags + " ")
    setFlagsFromString(flags)
  }
  require("node:module").syncBuiltinESMExports()
`

/** Returns the flags that the built program sets during a run whose model gives these answers. */
const flagsOfRun = (answers: ReadonlyArray<Answer>): Promise<string> =>
  withTestFolder((place) =>
    withModel(answers, async ({ env }) => {
      const hook = put(place, "../hook.cjs", recordFlags)
      const flags = put(place, "../flags", "")
      const NODE_OPTIONS = `--require ${hook}`
      const options = { stdin: "", env: { ...env, FLAGS_FILE: flags, NODE_OPTIONS } }
      const { code, stderr } = await start(place, ["run", "what time is it?"], options).ended
      assert.strictEqual(code, 0, stderr)
      return readFileSync(flags, "utf8")
    })
  )

describe("a small heap", () => {
  it("is preferred by a run that makes calls, and by no other one", async () => {
    const calls = [{ name: "current_time", arguments: {} }]
    assert.include(await flagsOfRun([{ text: "", calls }, say("noon")]), "--optimize-for-size")
    // At its end, a run may reset the flag for the code that it stores.
    assert.notMatch(await flagsOfRun([say("noon")]), /(?<!no-)optimize-for-size/u)
  })

  it("is preferred after the modules of a turn use the compiled code that Node contains", () => {
    const compiled = printed(
      `
      import { createRequire } from "node:module"
      import * as Effect from "effect/Effect"
      const { internalBinding } = createRequire("/")("internal/test/binding")
      const load = () => ["http", "https", "child_process", "zlib", "worker_threads", "fs/promises", "dns"].forEach(
        (name) => process.getBuiltinModule("node:" + name)
      )
      await Effect.runPromise(SmallHeap.preferSmallHeapWithModules)
      load()
      const { compiledWithCache, compiledWithoutCache } = internalBinding("builtins").getCacheUsage()
      // A module that nothing else needs is compiled from its source by then: the flag is set.
      process.getBuiltinModule("node:repl")
      const after = internalBinding("builtins").getCacheUsage().compiledWithoutCache
      process.stdout.write(JSON.stringify({
        hasHttp: compiledWithCache.has("http"), without: [...compiledWithoutCache], hasFlag: after.has("repl")
      }))
      `,
      "--expose-internals"
    )
    assert.deepStrictEqual(compiled, { hasHttp: true, without: [], hasFlag: true })
  })

  it("is preferred when the first call has ended", () => {
    const rejected = printed(`
      import { Script } from "node:vm"
      // The engine compares the lengths of sources, and reuses what it has compiled of an equal one.
      const sourceOf = (digit) => "(() => " + digit + ")()"
      const cachedData = new Script(sourceOf(9)).createCachedData()
      // The engine rejects code that was compiled under other flags.
      const isPreferred = (at) => new Script(sourceOf(at), { cachedData }).cachedDataRejected
      const noteEvent = SmallHeap.preferSmallHeapAfterCall()
      const recorded = (tag) => ({ _tag: "Recorded", entry: { body: { _tag: tag } } })
      const seen = [{ _tag: "Attached" }, recorded("ModelReplied"), recorded("CallEnded"), recorded("CallEnded")]
      process.stdout.write(JSON.stringify(seen.map((event, at) => {
        noteEvent(event)
        return isPreferred(at)
      })))
    `)
    assert.deepStrictEqual(rejected, [false, false, true, true])
  })

  it("stays small beside much garbage, in a process that has already started", thoroughOnly, () => {
    // Both processes load the module, whose imports are a part of the heap.
    const loaded = `const SmallHeap = await import(${JSON.stringify(module)})`
    assert.isBelow(usualHeap(`${loaded}\nSmallHeap.preferSmallHeap()`), 0.9 * usualHeap(loaded))
  })
})
