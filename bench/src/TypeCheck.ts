/** The time that the compiler needs to check many tools, for which every author of a pack waits. */
import { checkTools } from "../../packages/tool/typetest/ManyTools.ts"
import { atMost, type Benchmark, figure } from "./Benchmark.ts"
import { check } from "./Check.ts"
import { interleave, median, min } from "./Statistics.ts"

const tools = 200
const limitMillis = 2000

const millisFor = (count: number): Promise<number> => {
  const { elapsedMillis, output } = checkTools(count)
  check(output === "", `${count} generated tools do not compile:\n${output.slice(0, 2000)}`)
  return Promise.resolve(elapsedMillis)
}

const run: Benchmark["run"] = async ({ quick }) => {
  const rounds = quick ? 3 : 7
  const { many, one } = await interleave(rounds, { many: () => millisFor(tools), one: () => millisFor(1) })
  return {
    rows: [
      {
        label: `${tools} tools`,
        ratio: median(many) / median(one),
        figures: [
          figure("p50", median(many), "ms"),
          figure("min", min(many), "ms"),
          figure("one tool p50", median(one), "ms")
        ],
        aim: atMost(median(many), limitMillis, `≤ ${limitMillis} ms`)
      }
    ],
    notes: [
      `The whole run of \`tsc\` over generated sources, ten tools a file; medians of ${rounds} interleaved runs. Ratio: against a project of one tool.`
    ],
    notMeasured: []
  }
}

export const benchmark: Benchmark = { name: "types", title: `Type check of ${tools} tools`, run }
