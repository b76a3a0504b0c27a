/** The terminal adapter for a real one: raw mode, with an editor for the line that is asked for. */
import { StringDecoder } from "node:string_decoder"
import * as Effect from "effect/Effect"
import * as Escape from "../Escape.ts"
import * as DumbEditor from "./DumbEditor.ts"
import type * as LineEditor from "./LineEditor.ts"
import * as Pastes from "./Pastes.ts"
import * as ReadlineEditor from "./ReadlineEditor.ts"
import type { Line, Terminal, WhileWorking } from "./Terminal.ts"
import * as TypedAhead from "./TypedAhead.ts"

export interface Options {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  /** It cannot move its cursor, and tells of no pastes. */
  readonly isDumb: boolean
  /** Ctrl-C while neither a line nor work is under way. */
  readonly onInterrupt: () => void
}

/** Who gets what is typed. */
type Mode =
  | { readonly _tag: "Line"; readonly prompt: string; readonly resume: (line: Line) => void }
  | { readonly _tag: "Key"; readonly accepted: ReadonlyArray<string>; readonly resume: (key: string | null) => void }
  | { readonly _tag: "Working" }

const endOfInput = "\u0004"

export const make = (options: Options): Terminal["Service"] => {
  const { isDumb, stderr, stdin } = options
  const typed = TypedAhead.make()
  const decoder = new StringDecoder("utf8")
  const partsOf = Pastes.make()
  const waiting: Array<string> = []
  let editor: LineEditor.LineEditor | null = null
  let mode: Mode = { _tag: "Working" }
  /** Whole lines of the one that is asked for: those of a paste. */
  let begun = ""
  let working: WhileWorking | null = null
  let started = false
  let ended = false

  const resume = (line: Line): void => {
    if (mode._tag !== "Line") return
    const { resume: next } = mode
    mode = { _tag: "Working" }
    // The prompt's line was not finished by whoever types.
    if (line._tag !== "Line") stderr.write("\n")
    const before = begun
    begun = ""
    if (line._tag === "Line") next({ _tag: "Line", text: before + line.text })
    else next(before === "" ? line : { _tag: "Line", text: before.trimEnd() })
  }
  const end = (): void => {
    ended = true
    if (mode._tag === "Key") mode.resume(null)
    else resume({ _tag: "End" })
  }
  const setRaw = (isRaw: boolean): void => {
    try {
      stdin.setRawMode(isRaw)
    } catch {
      // A terminal that has hung up has no modes any more.
    }
    if (!isDumb && !stderr.destroyed) stderr.write(isRaw ? Pastes.enable : Pastes.disable)
  }
  const makeEditor = (): LineEditor.LineEditor =>
    (isDumb ? DumbEditor : ReadlineEditor).make(stderr, {
      onLine: (text, rest) => {
        // Nobody is asked before what came with the line is put aside.
        if (rest !== "") typedAhead(rest)
        if (mode._tag === "Line") resume({ _tag: "Line", text })
        else waiting.push(text)
      },
      onPart: (text, rest) => {
        begun += `${text}\n`
        editor?.ask("… ", rest)
      },
      onInterrupt: () => {
        if (begun === "" || mode._tag !== "Line") return resume({ _tag: "Interrupted" })
        begun = ""
        stderr.write("\n")
        editor?.ask(mode.prompt, "")
      },
      onEnd: end,
      onSuspend: (again) => {
        setRaw(false)
        process.once("SIGCONT", () => {
          setRaw(true)
          again()
        })
        process.kill(process.pid, "SIGTSTP")
      }
    })
  const interrupt = (): void => (working === null ? options.onInterrupt() : working.onInterrupt())
  const typedAhead = (input: string): void => {
    const { interrupted, lines } = typed.take(input)
    if (interrupted) return interrupt()
    for (const line of lines) {
      if (working === null) waiting.push(line)
      else working.onLine(line)
    }
  }
  const pressed = ({ accepted, resume: next }: Extract<Mode, { readonly _tag: "Key" }>, input: string): void => {
    if (input.includes("\u0003")) return interrupt()
    if (input.includes(endOfInput)) return end()
    const key = input.replace(/[\r\n]+$/u, "").toLowerCase()
    if (!accepted.includes(key)) return
    mode = { _tag: "Working" }
    next(key)
  }
  const take = ({ isPasted, text }: Pastes.Piece): void => {
    // A paste decides nothing.
    if (mode._tag === "Key") return isPasted ? undefined : pressed(mode, text)
    if (mode._tag === "Line") return isPasted ? editor?.paste(text) : editor?.take(text)
    return isPasted ? typed.paste(text) : typedAhead(text)
  }
  const onData = (chunk: Buffer): void => {
    for (const piece of partsOf(decoder.write(chunk))) take(piece)
  }
  const start = (): void => {
    if (started) return
    started = true
    stdin.on("data", onData)
    stdin.on("end", end)
    stdin.on("error", end)
    process.on("exit", close)
    setRaw(true)
    stdin.resume()
  }
  const close = (): void => {
    if (!started) return
    started = false
    process.off("exit", close)
    stdin.off("data", onData)
    setRaw(false)
    stdin.pause()
    editor?.close()
  }
  return {
    isInteractive: true,
    readLine: (prompt) =>
      Effect.callback<Line>((resumeEffect) => {
        start()
        if (ended) return resumeEffect(Effect.succeed({ _tag: "End" }))
        const next = waiting.shift()
        if (next !== undefined) {
          stderr.write(`${prompt}${Escape.line(next)}\n`)
          return resumeEffect(Effect.succeed({ _tag: "Line", text: next }))
        }
        editor ??= makeEditor()
        mode = { _tag: "Line", prompt, resume: (line) => resumeEffect(Effect.succeed(line)) }
        const ahead = typed.unfinished()
        const isLine = !ahead.includes("\n")
        editor.ask(prompt, isLine ? ahead : "")
        if (!isLine) editor.paste(ahead)
        return Effect.sync(() => {
          if (mode._tag === "Line") mode = { _tag: "Working" }
        })
      }),
    readKey: (accepted) =>
      Effect.callback<string | null>((resumeEffect) => {
        start()
        if (ended) return resumeEffect(Effect.succeed(null))
        mode = { _tag: "Key", accepted, resume: (key) => resumeEffect(Effect.succeed(key)) }
        return Effect.sync(() => {
          if (mode._tag === "Key") mode = { _tag: "Working" }
        })
      }),
    whileWorking: (handlers) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          start()
          working = handlers
        }),
        () =>
          Effect.sync(() => {
            working = null
          })
      ),
    close
  }
}
