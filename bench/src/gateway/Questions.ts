/** Answers the benchmark's queries to a measured program: its memory after a collection, and its processor time. */
import { cpuUsage, memoryUsage, pid } from "node:process"
import { getHeapSpaceStatistics } from "node:v8"
import { check } from "../Check.ts"
import * as Memory from "../Memory.ts"

export interface HeldQuestion {
  /** The size of the heap, and of memory outside of the heap that the heap refers to. */
  readonly heapBytes: number
  readonly pssBytes: number
}

/** The spaces of compiled code, which belongs to no session and grows while V8 optimises. */
const codeSpaces = new Set(["code_space", "code_large_object_space", "trusted_space", "trusted_large_object_space"])

const dataBytes = (): number =>
  getHeapSpaceStatistics().reduce(
    (sum, { space_name: name, space_used_size: used }) => (codeSpaces.has(name) ? sum : sum + used),
    0
  )

const measureMemory = async (): Promise<HeldQuestion> => {
  check(globalThis.gc !== undefined, "run with --expose-gc")
  for (let times = 0; times < 5; times++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { heapBytes: dataBytes() + memoryUsage().external, pssBytes: (Memory.read(pid)?.pssMegabytes ?? NaN) * 1e6 }
}

/** Returns the processor time of this process in microseconds, including garbage collector threads. */
const cpu = (): number => {
  const { system, user } = cpuUsage()
  return user + system
}

type Answers = Readonly<Record<string, () => unknown>>

/** Sends `ready`, then answers queries until the process ends. */
export const serve = (ready: object, more: Answers = {}): void => {
  const answers: Answers = { held: measureMemory, cpu, ...more }
  process.on("message", (question: string) => {
    void Promise.resolve(answers[question]?.()).then((answer) => process.send?.(answer ?? null))
  })
  process.send?.(ready)
}
