/** The operator's limits on a machine whose own limits are lower. */
import { assert, describe, it } from "@effect/vitest"
import { defaults } from "../src/Limits.ts"
import { lowerLimits } from "../src/Machine.ts"

const own = `Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            60                   seconds
Max file size             unlimited            unlimited            bytes
Max data size             1000                 4096                 bytes
Max processes             100                  200                  processes
Max open files            1024                 4096                 files
`

describe("the limits of commands", () => {
  it("are lowered to the hard limits of the process, with a second between the two limits of processor time", () => {
    const operator = { ...defaults, cpuSeconds: 3600, dataBytes: 2048 }
    assert.deepStrictEqual(lowerLimits(operator, own), {
      ...operator,
      cpuSeconds: 59,
      processes: 200,
      openFiles: 4096
    })
    assert.strictEqual(lowerLimits({ ...operator, cpuSeconds: 30 }, own).cpuSeconds, 30)
    assert.isNull(lowerLimits({ ...operator, cpuSeconds: null }, own).cpuSeconds)
    assert.deepStrictEqual(lowerLimits(operator, ""), operator)
  })
})
