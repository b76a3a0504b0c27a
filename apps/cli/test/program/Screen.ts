/** `bough` in a real terminal, driven and read through tmux. */
import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { closeSync, openSync } from "node:fs"
import { onTestFinished } from "vitest"
import { binary, type Place } from "./Bough.ts"

export interface Screen {
  /** Named keys as tmux knows them, such as "Enter" or "C-c". */
  readonly press: (...keys: ReadonlyArray<string>) => void
  /** Text as it stands, then Enter. */
  readonly type: (text: string) => void
  /** Everything since the start, without blank lines. */
  readonly text: () => string
  /** The rows that are to be seen now, as they are, blank ones at the end left out. */
  readonly visible: () => string
  /** As a terminal pastes: in brackets, line ends as they stand. */
  readonly paste: (text: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** The program's process, for signals; the shell is its parent. */
  readonly pid: () => number
  /** What `stty -a` says of the terminal. */
  readonly modes: () => string
  /** Whether anything on it has a colour. */
  readonly isColoured: () => boolean
  /** Until the screen shows it; the test's own time limit ends it otherwise. */
  readonly shows: (expected: string | RegExp) => Promise<string>
}

export interface Options {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The shell that runs it says `EXIT <code>` at its end. */
export const withScreen = async <A>(
  place: Place,
  { args = [], env = {}, columns = 80, rows = 40 }: Options,
  use: (screen: Screen) => Promise<A>
): Promise<A> => {
  const socket = `bough-${randomUUID()}`
  const tmux = (...command: ReadonlyArray<string>): string => {
    const { stdout, stderr, status } = spawnSync("tmux", ["-L", socket, "-f", "/dev/null", ...command], {
      encoding: "utf8"
    })
    if (status !== 0) throw new Error(`tmux ${command.join(" ")}: ${stderr}`)
    return stdout
  }
  // A test whose time is over is not waited for: what it started ends with it all the same.
  let isOver = false
  const close = (): void => {
    if (!isOver) spawnSync("tmux", ["-L", socket, "kill-server"])
    isOver = true
  }
  onTestFinished(close)
  const variables = Object.entries({ ...place.env, TERM: "screen-256color", ...env })
  const program = [process.execPath, binary, ...args].map(quote).join(" ")
  const shell = `env -i ${variables.map(([name, value]) => quote(`${name}=${value}`)).join(" ")} ${program}; echo EXIT $?; cat`
  tmux(
    "set-option",
    "-g",
    "history-limit",
    "50000",
    ";",
    "new-session",
    "-d",
    "-x",
    `${columns}`,
    "-y",
    `${rows}`,
    "-c",
    place.workspace,
    `sh -c ${quote(shell)}`
  )
  const text = (): string =>
    tmux("capture-pane", "-p", "-S", "-")
      .split("\n")
      .map((row) => row.trimEnd())
      .filter((row) => row !== "")
      .join("\n")
  try {
    return await use({
      press: (...keys) => void tmux("send-keys", ...keys),
      type: (words) => {
        tmux("send-keys", "-l", words)
        tmux("send-keys", "Enter")
      },
      text,
      visible: () =>
        tmux("capture-pane", "-p")
          .split("\n")
          .map((row) => row.trimEnd())
          .join("\n")
          .trimEnd(),
      paste: (words) => {
        tmux("set-buffer", words)
        tmux("paste-buffer", "-p", "-r", "-d")
      },
      resize: (toColumns, toRows) => void tmux("resize-window", "-x", `${toColumns}`, "-y", `${toRows}`),
      pid: () => {
        const shell = tmux("display-message", "-p", "#{pane_pid}").trim()
        return Number(spawnSync("pgrep", ["-P", shell], { encoding: "utf8" }).stdout.split("\n")[0])
      },
      modes: () => {
        const device = openSync(tmux("display-message", "-p", "#{pane_tty}").trim(), "r")
        try {
          return spawnSync("stty", ["-a"], { encoding: "utf8", stdio: [device, "pipe", "pipe"] }).stdout
        } finally {
          closeSync(device)
        }
      },
      isColoured: () => tmux("capture-pane", "-p", "-e").includes("\u001B["),
      shows: async (expected) => {
        for (;;) {
          if (isOver) throw new Error("the test has ended")
          const now = text()
          if (typeof expected === "string" ? now.includes(expected) : expected.test(now)) return now
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
    })
  } catch (error) {
    throw isOver ? error : new Error(`on the screen:\n${text()}`, { cause: error })
  } finally {
    close()
  }
}
