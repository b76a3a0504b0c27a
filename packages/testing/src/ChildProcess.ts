/** Runs other processes beside the tests, with the same Node; they are killed with the test. */
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

export interface Child {
  readonly pid: number
  /** The next line of its standard output; null: the process has ended. */
  readonly line: Effect.Effect<string | null>
  /** Sends SIGKILL, and waits until the process has ended. */
  readonly kill: Effect.Effect<void>
  readonly say: (line: string) => Effect.Effect<void>
  /** The standard error so far and, once the process has ended, its exit code or signal. */
  readonly complaints: () => string
}

const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) resume(Effect.void)
    else child.once("exit", () => resume(Effect.void))
  })

/**
 * Starts the program in the file at `path`; it ends with the scope. `wrapper`: a command that runs it, such as strace with
 * its options.
 */
export const start = (path: string, args: ReadonlyArray<string>, wrapper: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.sync((): Child => {
      const [command, ...rest] = [...wrapper, process.execPath, path, ...args]
      const child = spawn(command, rest, { stdio: ["pipe", "pipe", "pipe"], detached: true })
      let complaints = ""
      child.stderr.on("data", (chunk) => (complaints += String(chunk)))
      child.stdin.on("error", () => {})
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      return {
        pid: child.pid ?? 0,
        line: Effect.map(
          Effect.promise(() => lines.next()),
          (next) => (next.done === true ? null : next.value)
        ),
        kill: Effect.andThen(
          // Kills the whole group, including a wrapper's child.
          Effect.ignore(Effect.try(() => process.kill(-(child.pid ?? 0), "SIGKILL"))),
          ended(child)
        ),
        say: (line) => Effect.sync(() => void child.stdin.write(`${line}\n`)),
        complaints: () => {
          const { exitCode, signalCode } = child
          return exitCode === null && signalCode === null
            ? complaints
            : `${complaints}ended with ${exitCode ?? signalCode}`
        }
      }
    }),
    (child) => child.kill
  )

/** Starts a program of the folder `programs` beside the module at `url`, by its name without an extension. */
export const startBeside =
  (url: string) =>
  (program: string, args: ReadonlyArray<string>, wrapper: ReadonlyArray<string> = []) =>
    start(fileURLToPath(new URL(`programs/${program}.ts`, url)), args, wrapper)

/** Reads every line until the process ends. */
export const lines = Effect.fnUntraced(function* (child: Child) {
  const all: Array<string> = []
  while (true) {
    const line = yield* child.line
    if (line === null) return all
    all.push(line)
  }
})
