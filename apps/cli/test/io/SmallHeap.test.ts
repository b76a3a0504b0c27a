/** The heap of a process that makes garbage beside its live data. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../../test/thorough.ts"

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

describe("a small heap", () => {
  it("stays small beside much garbage, in a process that has already started", thoroughOnly, () => {
    const preferred = usualHeap(`(await import(${JSON.stringify(module)})).preferSmallHeap()`)
    assert.isBelow(preferred, 0.9 * usualHeap(""))
  })
})
