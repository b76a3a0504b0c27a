/** A terminal of its own in a tmux server of its own: what runs in it, its keys, what is to be seen. */
import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"

export interface Pane {
  readonly columns: number
  readonly rows: number
  readonly cwd: string
  /** What it answers when asked for its background, as #rrggbb. Default: nothing. */
  readonly background?: string | undefined
  /** For `sh -c`. */
  readonly command: string
}

export interface Tmux {
  /** One command of tmux; what it prints. */
  readonly run: (...command: ReadonlyArray<string>) => string
  /** Ends the server with all that runs in it; does nothing twice. */
  readonly close: () => void
  readonly isClosed: () => boolean
}

/** A word that a shell takes as it stands. */
export const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A shell's words for a program with these variables and no others. */
export const withVariables = (variables: Readonly<Record<string, string>>, program: string): string =>
  `env -i ${Object.entries(variables)
    .map(([name, value]) => quote(`${name}=${value}`))
    .join(" ")} ${program}`

export const open = ({ background, columns, command, cwd, rows }: Pane): Tmux => {
  const socket = `bough-${randomUUID()}`
  const run = (...words: ReadonlyArray<string>): string => {
    const { stderr, stdout, status } = spawnSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8"
    })
    if (status !== 0) throw new Error(`tmux ${words.join(" ")}: ${stderr}`)
    return stdout
  }
  let isClosed = false
  const close = (): void => {
    if (!isClosed) spawnSync("tmux", ["-L", socket, "kill-server"])
    isClosed = true
  }
  const style = background === undefined ? [] : ["set-option", "-g", "window-style", `bg=${background}`, ";"]
  const size = ["-x", `${columns}`, "-y", `${rows}`]
  run(
    "set-option",
    "-g",
    "history-limit",
    "50000",
    ";",
    ...style,
    "new-session",
    "-d",
    ...size,
    "-c",
    cwd,
    `sh -c ${quote(command)}`
  )
  return { run, close, isClosed: () => isClosed }
}

const trimmed = (captured: string): ReadonlyArray<string> => captured.split("\n").map((row) => row.trimEnd())

/** Everything since the start, without blank lines. */
export const text = (tmux: Tmux): string =>
  trimmed(tmux.run("capture-pane", "-p", "-S", "-"))
    .filter((row) => row !== "")
    .join("\n")

/** The rows that are to be seen now, as they are, blank ones at the end left out. */
export const visible = (tmux: Tmux): string => trimmed(tmux.run("capture-pane", "-p")).join("\n").trimEnd()

/** The same with its colours, as escape sequences. */
export const coloured = (tmux: Tmux): string => tmux.run("capture-pane", "-p", "-e")

const isIn = (text: string, expected: string | RegExp): boolean =>
  typeof expected === "string" ? text.includes(expected) : expected.test(text)

/** Whether the whole text shows it before the time is over. */
export const showsWithin = async (tmux: Tmux, expected: string | RegExp, millis: number): Promise<boolean> => {
  const until = Date.now() + millis
  do {
    if (isIn(text(tmux), expected)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  } while (Date.now() < until)
  return false
}

/** Until the whole text shows it; for ever otherwise, or until the terminal is closed. */
export const shows = async (tmux: Tmux, expected: string | RegExp): Promise<string> => {
  for (;;) {
    if (tmux.isClosed()) throw new Error("the terminal has been closed")
    const now = text(tmux)
    if (isIn(now, expected)) return now
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
