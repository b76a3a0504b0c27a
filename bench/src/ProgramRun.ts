/** One run of a program in a separate process, timed by the clock of the process that waits for it. */
import { spawn } from "node:child_process"
import { check } from "./Check.ts"
import * as Memory from "./Memory.ts"

export interface Program {
  readonly command: string
  readonly arguments: ReadonlyArray<string>
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

export interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** The time until all output was read. */
  readonly elapsedMillis: number
  /** The memory of the process itself, without its children; null unless it was sampled. */
  readonly peak: Memory.Memory | null
}

export interface Run {
  /** The time just before the process was started, on the clock of `performance.now()`. */
  readonly startedAtMillis: number
  /** Reads the memory now, in addition to every 10 ms. */
  readonly sample: () => void
  readonly ended: Promise<Ended>
}

const sampleEveryMillis = 10
const patienceMillis = 120_000

/**
 * Starts the program. `sampled`: its memory is read repeatedly, which slows it down slightly, so such a run is not
 * timed.
 */
export const start = (program: Program, sampled: boolean): Run => {
  let peak: Memory.Memory | null = null
  const startedAtMillis = performance.now()
  const child = spawn(program.command, program.arguments, {
    cwd: program.folder,
    env: program.environment,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const sample = () => {
    if (child.pid !== undefined && child.exitCode === null) peak = Memory.max(peak, Memory.read(child.pid))
  }
  const sampling = sampled ? setInterval(sample, sampleEveryMillis) : undefined
  const impatience = setTimeout(() => child.kill("SIGKILL"), patienceMillis)
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (exitCode) => {
      resolve({ exitCode, stdout, stderr, elapsedMillis: performance.now() - startedAtMillis, peak })
    })
  })
  return {
    startedAtMillis,
    sample,
    ended: ended.finally(() => {
      clearInterval(sampling)
      clearTimeout(impatience)
    })
  }
}

/** Runs the program to its end, which must be successful. */
export const complete = async (program: Program): Promise<Ended> => requireSuccess(await start(program, false).ended)

/** Returns the run; throws unless it exited with 0. */
export const requireSuccess = (ended: Ended): Ended => {
  check(ended.exitCode === 0, `the program exited with ${ended.exitCode}: ${ended.stderr.trim().slice(-2000)}`)
  return ended
}
