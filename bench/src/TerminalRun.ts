/**
 * A program in a terminal of 100 by 40, which `script` of util-linux creates: its output when it arrives, and the keys
 * when they are sent.
 */
import { spawn, spawnSync } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import { check } from "./Check.ts"
import type { Program } from "./ProgramRun.ts"

export interface TerminalRun {
  /** The time just before the terminal was made, on the clock of `performance.now()`. */
  readonly startedAtMillis: number
  readonly press: (keys: string) => void
  /**
   * Resolves with the time, on the same clock, at which the program next writes this text; earlier output is ignored.
   */
  readonly shows: (text: string) => Promise<number>
  /** The process id of the program itself. */
  readonly pid: () => number
  /** Changes the terminal's width, and signals the program. */
  readonly resize: (columns: number) => void
  readonly ended: Promise<void>
}

/** Returns null if a terminal can be created, else the reason why not. */
export const missingTool = (): string | null =>
  process.platform === "linux" && spawnSync("script", ["--version"]).status === 0
    ? null
    : "there is no `script` of util-linux here"

const patienceMillis = 60_000

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

export const start = (program: Program, patience: number = patienceMillis): TerminalRun => {
  const command = [program.command, ...program.arguments].map(quote).join(" ")
  const startedAtMillis = performance.now()
  const child = spawn("script", ["-qfec", `stty cols 100 rows 40; exec ${command}`, "/dev/null"], {
    cwd: program.folder,
    env: { ...program.environment, TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"]
  })
  let waiting: { readonly text: string; readonly found: (atMillis: number) => void } | null = null
  let written = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const atMillis = performance.now()
    if (waiting === null) return
    written += text
    if (!written.includes(waiting.text)) return
    const { found } = waiting
    waiting = null
    found(atMillis)
  })
  // A program that ends by itself may be gone before its keys arrive; its end is what the caller waits for.
  child.stdin.on("error", () => {})
  const impatience = setTimeout(() => child.kill("SIGKILL"), patience)
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      clearTimeout(impatience)
      resolve()
    })
  })
  const pid = (): number => {
    check(child.pid !== undefined, "the terminal was not made")
    return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ")[0])
  }
  return {
    startedAtMillis,
    press: (keys) => void child.stdin.write(keys),
    shows: (text) =>
      new Promise((resolve, reject) => {
        written = ""
        waiting = { text, found: resolve }
        void ended.then(() => reject(new Error(`it ended before it showed ${JSON.stringify(text)}`)))
      }),
    pid,
    resize: (columns) => {
      const { status } = spawnSync("stty", ["-F", readlinkSync(`/proc/${pid()}/fd/0`), "cols", String(columns)])
      check(status === 0, "the terminal could not be resized")
    },
    ended
  }
}
