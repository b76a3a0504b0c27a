/**
 * The two streams of the program. Only the answer goes to stdout; everything else goes to stderr. Text for a terminal is
 * escaped here. A reader that closed its end is not an error: it ends the program.
 */
import * as Escape from "@bough/tui/text/Escape"
import * as SafeText from "@bough/tui/text/SafeText"
import * as Style from "@bough/tui/theme/Style"
import * as Context from "effect/Context"

export class Output extends Context.Service<
  Output,
  {
    /** Writes text to stdout; if stdout is a terminal, control and hidden characters are made visible. */
    readonly answer: (text: string) => void
    /** Writes escaped text to stdout. */
    readonly answerEscaped: (text: SafeText.SafeText) => void
    /** Writes JSON text to stdout, with hidden characters as `\u` escapes and a line feed at the end. */
    readonly json: (value: unknown, indent?: number) => void
    /** Writes one line to stderr; untrusted text is escaped. */
    readonly note: (text: string) => void
    /** Writes escaped lines to stderr. */
    readonly noteEscaped: (text: SafeText.SafeText) => void
    readonly style: Style.Style
    readonly stdoutIsTerminal: boolean
    readonly stderrIsTerminal: boolean
    readonly verbose: boolean
    /** The width of stderr in cells; a large number if stderr is not a terminal. */
    readonly columns: () => number
    readonly rows: () => number
    /**
     * The reason why output to stdout is lost; null if no output is lost, or if the reader closed stdout on purpose.
     */
    readonly lost: () => Error | null
    /** Called once when the reader of stdout has closed it. */
    readonly onClosed: (listener: () => void) => void
  }
>()("@bough/cli/Output") {}

export interface Streams {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly variables: Readonly<Record<string, string | undefined>>
}

const columnsOfAPipe = 200
const narrowest = 20

export const make = (streams: Streams, verbose: boolean): Output["Service"] => {
  const { stderr, stdout } = streams
  const stdoutIsTerminal = stdout.isTTY
  const listeners: Array<() => void> = []
  let isClosed = false
  let lost: Error | null = null
  stdout.on("error", (error) => {
    isClosed = true
    if (!("code" in error && error.code === "EPIPE")) lost = error
    for (const listener of listeners.splice(0)) listener()
  })
  stderr.on("error", () => {})
  const write = (text: string): void => {
    if (!isClosed) stdout.write(text)
  }
  const noteEscaped = (text: SafeText.SafeText): void => SafeText.write(stderr, SafeText.text`${text}\n`)
  return {
    answer: (text) => write(stdoutIsTerminal ? Escape.text(text) : text),
    answerEscaped: write,
    json: (value, indent) => write(`${Escape.json(JSON.stringify(value, null, indent))}\n`),
    note: (text) => noteEscaped(Escape.line(text)),
    noteEscaped,
    style: hasColours(stderr, streams.variables) ? Style.coloured : Style.plain,
    stdoutIsTerminal,
    stderrIsTerminal: stderr.isTTY,
    verbose,
    columns: () => (stderr.isTTY ? Math.max(narrowest, stderr.columns || 80) : columnsOfAPipe),
    rows: () => (stderr.isTTY && stderr.rows > 0 ? stderr.rows : 24),
    lost: () => lost,
    onClosed: (listener) => void (isClosed ? listener() : listeners.push(listener))
  }
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ""

/** Follows https://no-color.org, and terminals that report no colours. */
const hasColours = (stream: NodeJS.WriteStream, variables: Streams["variables"]): boolean =>
  stream.isTTY && !isSet(variables["NO_COLOR"]) && variables["TERM"] !== "dumb"
