/** How long the compiler takes to check many tools: what every author of a pack waits for. */
import { checkTools } from "../../packages/tool/typetest/ManyTools.ts"

/** Prints the median of several runs, and what remains without any tool but one. */
export const typecheck = (): void => {
  const counts = [200, 1] as const
  const times = new Map<number, Array<number>>(counts.map((count) => [count, []]))
  for (let run = 0; run < runs; run++) {
    for (const count of counts) {
      const { elapsedMillis, output } = checkTools(count)
      if (output !== "") throw new Error(`the generated tools do not compile:\n${output}`)
      times.get(count)?.push(elapsedMillis)
    }
  }
  const [many, one] = counts.map((count) => median(times.get(count) ?? []))
  process.stdout.write(`type-check of 200 tools: ${many} ms (of 1 tool: ${one} ms)\n`)
}

const runs = 5

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

if (import.meta.main) typecheck()
