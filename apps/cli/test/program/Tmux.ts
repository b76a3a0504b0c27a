/** A terminal in a tmux server of its own: the program in it, its keys, and its screen. */
import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import * as TmuxControl from "./TmuxControl.ts"

export interface Pane {
  readonly columns: number
  readonly rows: number
  readonly cwd: string
  /** The terminal's answer to a query for its background, as #rrggbb. Default: none. */
  readonly background?: string | undefined
  /** The command line of `sh -c`. */
  readonly command: string
}

export interface Tmux {
  /** Runs one command of tmux, and returns its output. */
  readonly run: (...command: ReadonlyArray<string>) => string
  readonly control: TmuxControl.Control
  /** Ends the server with all its processes; a second call does nothing. */
  readonly close: () => void
  readonly isClosed: () => boolean
}

/** A word that a shell takes unchanged. */
export const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** The shell words for a program with these variables and no others. */
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
  return { run, control: TmuxControl.attach(socket), close, isClosed: () => isClosed }
}

const trimmed = (captured: string): ReadonlyArray<string> => captured.split("\n").map((row) => row.trimEnd())

const everything = ["capture-pane", "-p", "-S", "-"] as const
const written = (rows: ReadonlyArray<string>): string => rows.filter((row) => row !== "").join("\n")

/** Everything since the start, without blank lines. */
export const text = (tmux: Tmux): string => written(trimmed(tmux.run(...everything)))

/** The visible rows, without blank ones at the end. */
export const visible = (tmux: Tmux): string => trimmed(tmux.run("capture-pane", "-p")).join("\n").trimEnd()

/** Returns the screen with its colours, as escape sequences. */
export const coloured = (tmux: Tmux): string => tmux.run("capture-pane", "-p", "-e")

/** True once the shell has printed the exit code of the program; nothing else is printed after it. */
export const isOver = (shown: string): boolean => /^EXIT \d+$/mu.test(shown)

const isIn = (text: string, expected: string | RegExp): boolean =>
  typeof expected === "string" ? text.includes(expected) : expected.test(text)

/** Output that arrives in pieces is read once. */
const pieceMillis = 10

/**
 * Waits until the output contains the text, checked after each output, or until the deadline or the end of the program.
 */
const seen = async (tmux: Tmux, expected: string | RegExp, late: Promise<null>): Promise<string | null> => {
  for (;;) {
    const next = tmux.control.written()
    const now = written((await tmux.control.ask(everything.join(" "))).map((row) => row.trimEnd()))
    if (isIn(now, expected)) return now
    if (isOver(now)) return null
    const over = await Promise.race([next, late])
    if (over === null) return over
    await sleep(pieceMillis)
  }
}

/** True if the output contains the text before the deadline. */
export const showsWithin = async (tmux: Tmux, expected: string | RegExp, millis: number): Promise<boolean> =>
  (await seen(tmux, expected, sleep(millis, null))) !== null

/** The wait for a text, which is shorter than the time limit of a test, so that the failure names the text. */
export const longestWaitMillis = 240_000

/** The failure of a wait, with everything that the screen has. */
export const missing = (expected: string | RegExp, shown: string): Error =>
  new Error(`${isOver(shown) ? "the program ended" : "the wait ended"} before ${String(expected)} came:\n${shown}`)

/**
 * Waits until the output contains the text. Fails with the text of the screen if the program has ended without it, or
 * the wait is too long.
 */
export const shows = async (tmux: Tmux, expected: string | RegExp): Promise<string> => {
  const stopped = new AbortController()
  try {
    const late = sleep(longestWaitMillis, null, { signal: stopped.signal, ref: false }).catch(() => null)
    const found = await seen(tmux, expected, late)
    if (found !== null) return found
  } finally {
    stopped.abort()
  }
  throw missing(expected, text(tmux))
}
