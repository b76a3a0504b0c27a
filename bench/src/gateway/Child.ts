/**
 * A program of a benchmark in a separate process, which reports when it is ready and answers questions over its
 * channel.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { CheckFailed } from "../Check.ts"
import { environment } from "../Programs.ts"

export interface Child<Ready> {
  readonly ready: Ready
  readonly pid: number
  readonly ask: <Answer>(question: string) => Promise<Answer>
  readonly stop: () => Promise<void>
}

const stopMillis = 20_000

/** Options of Node for the measured program, such as `--cpu-prof --cpu-prof-dir=DIR`. */
const moreOptions = (process.env["BOUGH_BENCH_NODE_OPTIONS"] ?? "").split(" ").filter((option) => option !== "")

/** Starts `programs/<name>.ts`. The first message of the program is returned as `ready`. */
export const start = async <Ready>(name: string, home: string, options: object): Promise<Child<Ready>> => {
  const program = fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url))
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: ["--no-warnings", "--expose-gc", ...moreOptions],
    env: environment(home),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    cwd: home
  })
  let complaints = ""
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (complaints = (complaints + text).slice(-4000)))
  const gone = once(child, "exit").then(([code]) => {
    throw new CheckFailed(`${name} ended with ${code}: ${complaints.trim()}`)
  })
  gone.catch(() => undefined)
  const message = async (): Promise<unknown> => (await Promise.race([once(child, "message"), gone]))[0]
  const ready = (await message()) as Ready
  let asking: Promise<unknown> = Promise.resolve()
  return {
    ready,
    pid: child.pid ?? 0,
    ask: <Answer>(question: string) => {
      const answered = asking.then(async () => {
        child.send(question)
        return (await message()) as Answer
      })
      asking = answered.catch(() => undefined)
      return answered
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const impatience = setTimeout(() => child.kill("SIGKILL"), stopMillis)
      child.kill("SIGTERM")
      await gone.catch(() => undefined)
      clearTimeout(impatience)
    }
  }
}
