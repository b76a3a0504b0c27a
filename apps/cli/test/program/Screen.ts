/** `bough` in a real terminal, driven and read through tmux. */
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import { spawnSync } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { onTestFinished } from "vitest"
import { binary, type TestFolder } from "./Bough.ts"
import * as Tmux from "./Tmux.ts"

/** A terminal with the program in it. */
export interface Screen {
  /** Named keys as tmux knows them, such as "Enter" or "C-c". */
  readonly press: (...keys: ReadonlyArray<string>) => void
  /** Bytes as a terminal sends them. */
  readonly send: (bytes: string) => void
  /** Presses a key that counts only after a silence: again, with a longer pause, until the text shows. */
  readonly pressUntil: (key: string, expected: string | RegExp) => Promise<void>
  /** Types the text unchanged, then Enter. */
  readonly type: (text: string) => void
  /** Everything since the start, without blank lines. */
  readonly text: () => string
  /** The visible rows, without blank ones at the end. */
  readonly visible: () => string
  /** Pastes as a terminal does: in brackets, line ends unchanged. */
  readonly paste: (text: string) => void
  readonly resize: (columns: number, rows: number) => void
  /**
   * Waits until the screen shows the text; fails with the screen if the program ends without it, or the wait is too
   * long.
   */
  readonly shows: (expected: string | RegExp) => Promise<string>
}

/** A terminal of a process of its own. */
export interface RealScreen extends Screen {
  /** The program's process, for signals; the shell is its parent. */
  readonly pid: () => number
  /** The output of `stty -a` for the terminal. */
  readonly modes: () => string
  /** True if anything on the screen has a colour. */
  readonly isColoured: () => boolean
  /** The title of the terminal. */
  readonly title: () => string
  /** The visible screen, colours as escape sequences. */
  readonly coloured: () => string
}

export interface Options {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
  /** The terminal's answer to a query for its background, as #rrggbb. Default: none. */
  readonly background?: string
  /** A file that receives everything that the program writes to its terminal. Default: none. */
  readonly recorded?: string
  /** True: a reflection starts after a silence, and sends a request to the model. Default: false. */
  readonly reflects?: boolean
}

/** Conversations, with flags of their own or none, have no reflection unless a test asks for it. */
export const withFlags = ({ args = [], reflects = false }: Options): ReadonlyArray<string> =>
  reflects || !isConversation(args) ? args : ["--no-reflect", ...args]

const isConversation = ([first]: ReadonlyArray<string>): boolean => first === undefined || first.startsWith("-")

/** The shell that runs the program prints `EXIT <code>` at its end. */
export const withScreen = async <A>(
  place: TestFolder,
  options: Options,
  use: (screen: RealScreen) => Promise<A>
): Promise<A> => {
  const { background, env = {}, columns = 80, recorded, rows = 40 } = options
  const program = [process.execPath, binary, ...withFlags(options)].map(Tmux.quote).join(" ")
  const variables = { ...place.env, TERM: "screen-256color", ...env }
  const command = `${Tmux.withVariables(variables, program)}; echo EXIT $?; cat`
  const tmux = Tmux.open({ background, columns, rows, cwd: place.workspace, command })
  // Nothing waits for a test that has timed out: its processes are ended all the same, and the pending condition is
  // reported.
  onTestFinished(({ task }) => {
    if (task.result?.state === "fail" && !tmux.isClosed()) console.error(`on the screen:\n${Tmux.text(tmux)}`)
    tmux.close()
  })
  if (recorded !== undefined) tmux.run("pipe-pane", "-O", `cat > ${Tmux.quote(recorded)}`)
  try {
    return await use(screenOf(tmux))
  } catch (error) {
    throw tmux.isClosed() ? error : new Error(`on the screen:\n${Tmux.text(tmux)}`, { cause: error })
  } finally {
    tmux.close()
  }
}

const screenOf = (tmux: Tmux.Tmux): RealScreen => ({
  press: (...keys) => void tmux.run("send-keys", ...keys),
  pressUntil: (key, expected) =>
    (async () => {
      for (;;) {
        tmux.run("send-keys", key)
        if (await Tmux.showsWithin(tmux, expected, 2 * AnswerGuard.quietMillis)) return
        if (Tmux.isOver(Tmux.text(tmux))) throw Tmux.missing(expected, Tmux.text(tmux))
      }
    })(),
  send: (bytes) => void tmux.run("send-keys", "-H", ...(Buffer.from(bytes).toString("hex").match(/../gu) ?? [])),
  type: (words) => {
    tmux.run("send-keys", "-l", words)
    tmux.run("send-keys", "Enter")
  },
  text: () => Tmux.text(tmux),
  visible: () => Tmux.visible(tmux),
  paste: (words) => {
    tmux.run("set-buffer", words)
    tmux.run("paste-buffer", "-p", "-r", "-d")
  },
  resize: (columns, rows) => void tmux.run("resize-window", "-x", `${columns}`, "-y", `${rows}`),
  pid: () => {
    const shell = tmux.run("display-message", "-p", "#{pane_pid}").trim()
    return Number(spawnSync("pgrep", ["-P", shell], { encoding: "utf8" }).stdout.split("\n")[0])
  },
  modes: () => {
    const device = openSync(tmux.run("display-message", "-p", "#{pane_tty}").trim(), "r")
    try {
      return spawnSync("stty", ["-a"], { encoding: "utf8", stdio: [device, "pipe", "pipe"] }).stdout
    } finally {
      closeSync(device)
    }
  },
  title: () => tmux.run("display-message", "-p", "#{pane_title}").trim(),
  isColoured: () => Tmux.coloured(tmux).includes("\u001B["),
  coloured: () => Tmux.coloured(tmux),
  shows: (expected) => Tmux.shows(tmux, expected)
})
