/**
 * `bough` in a terminal inside the process of the test: the program from its arguments to its exit code, with keys and
 * a terminal emulator. It serves tests of a conversation's behaviour; tests of processes, signals, modes of a terminal
 * or the bundle use a real one (`Screen.ts`).
 */
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import { userInfo } from "node:os"
import { PassThrough } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { onTestFailed, onTestFinished } from "vitest"
import * as VirtualTerminal from "../../../../packages/tui/test/screen/VirtualTerminal.ts"
import * as TtyTerminal from "../../src/io/TtyTerminal.ts"
import { execute } from "../../src/main.ts"
import * as Packs from "../../src/Packs.ts"
import * as Signals from "../../src/Signals.ts"
import type { TestFolder } from "./Bough.ts"
import { type Options, type Screen, withFlags } from "./Screen.ts"
import { isOver, longestWaitMillis, missing } from "./Tmux.ts"

/** The bytes that a terminal sends for a key, by tmux's name for it; any other word is typed. */
const named: Readonly<Record<string, string>> = {
  Enter: "\r",
  Tab: "\t",
  Escape: "\u001B",
  Space: " ",
  BSpace: "\u007F",
  DC: "\u001B[3~",
  Up: "\u001B[A",
  Down: "\u001B[B",
  Right: "\u001B[C",
  Left: "\u001B[D",
  Home: "\u001B[H",
  End: "\u001B[F",
  PPage: "\u001B[5~",
  NPage: "\u001B[6~"
}

const bytesOf = (key: string): string => {
  const known = named[key]
  if (known !== undefined) return known
  if (/^C-.$/u.test(key)) return String.fromCharCode(key.charCodeAt(2) & 31)
  if (/^(?:[A-Z][A-Za-z]+|F\d+)$/u.test(key)) throw new Error(`no such key here: ${key}`)
  return key.startsWith("M-") ? `\u001B${bytesOf(key.slice(2))}` : key
}

/** A tenth of the silence in production: tests of the silence itself have a real terminal. */
const silentMillis = 50
/** The pause before an ignored key is pressed again. */
const timeoutMillis = 3_000
const silence: AnswerGuard.Schedule = (run) => AnswerGuard.afterReading(run, silentMillis)

const isIn = (text: string, expected: string | RegExp): boolean =>
  typeof expected === "string" ? text.includes(expected) : expected.test(text)

/** The screen prints `EXIT <code>` at the program's end, as the shell of a real one does. */
export const withScreen = async <A>(
  place: TestFolder,
  options: Options,
  use: (screen: Screen) => Promise<A>
): Promise<A> => {
  const terminal = VirtualTerminal.make(options.columns ?? 80, options.rows ?? 40)
  const variables: Readonly<Record<string, string>> = { ...place.env, TERM: "screen-256color", ...options.env }
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} }) as unknown as NodeJS.ReadStream
  const send = (keys: string): void => void (stdin as unknown as PassThrough).write(keys)
  let signals: Signals.Signals | null = null
  let isEnded = false
  const ended = execute(
    withFlags(options),
    {
      environment: {
        variables,
        platform: process.platform,
        home: variables["HOME"] ?? place.home,
        currentDirectory: place.workspace,
        user: userInfo().username
      },
      silence,
      stdin: () => stdin,
      stdout: terminal.stdout,
      stderr: terminal.stdout,
      signals: (stop) => (signals = Signals.make(stop, () => {})),
      terminal: ({ interrupt }) =>
        TtyTerminal.make({
          stdin,
          stderr: terminal.stdout,
          isDumb: variables["TERM"] === "dumb",
          schedule: silence,
          onInterrupt: () => interrupt("SIGINT")
        })
    },
    { packs: Packs, options: {} }
  ).then(({ code }) => {
    isEnded = true
    return terminal.write(`EXIT ${code}\r\n`)
  })
  const end = async (): Promise<void> => {
    if (!isEnded) signals?.interrupt("SIGTERM")
    await ended
  }
  const text = (): string =>
    terminal
      .rows()
      .filter((row) => row !== "")
      .join("\n")
  const shows = async (expected: string | RegExp): Promise<string> => {
    const stopped = new AbortController()
    const late = sleep(longestWaitMillis, null, { signal: stopped.signal, ref: false }).catch(() => null)
    try {
      for (;;) {
        const drawn = terminal.drawn()
        const now = text()
        if (isIn(now, expected)) return now
        if (isOver(now) || (await Promise.race([drawn, late])) === null) throw missing(expected, text())
      }
    } finally {
      stopped.abort()
    }
  }
  const press = (...keys: ReadonlyArray<string>): void => {
    if (keys[0] === "-l") return send(keys.slice(1).join(""))
    for (const key of keys) send(bytesOf(key))
  }
  // Nothing waits for a test that has timed out: its processes are ended all the same.
  onTestFinished(end)
  onTestFailed(() => void process.stderr.write(`on the screen:\n${text()}\n`))
  try {
    return await use({
      press,
      send,
      pressUntil: async (key, expected) => {
        for (;;) {
          await sleep(3 * silentMillis)
          if (isEnded) throw new Error(`it ended before ${key} was answered`)
          press(key)
          if ((await Promise.race([shows(expected), sleep(timeoutMillis, null)])) !== null) return
        }
      },
      type: (words) => {
        send(words)
        send("\r")
      },
      text,
      visible: () => terminal.visible().join("\n").trimEnd(),
      paste: (words) => send(`\u001B[200~${words}\u001B[201~`),
      resize: (columns, rows) => void terminal.resize(columns, rows),
      shows
    })
  } finally {
    await end()
  }
}
