/** The terminal adapter for a real one: raw mode, with node:readline for the line that is being edited. */
import { createInterface, type Interface } from "node:readline"
import { PassThrough } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import * as Effect from "effect/Effect"
import * as Escape from "../Escape.ts"
import type { Line, Terminal, WhileWorking } from "./Terminal.ts"
import * as TypedAhead from "./TypedAhead.ts"

export interface Options {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  /** Ctrl-C while neither a line nor work is under way. */
  readonly onInterrupt: () => void
}

/** Who gets what is typed. */
type Mode =
  | { readonly _tag: "Line"; readonly resume: (line: Line) => void }
  | { readonly _tag: "Key"; readonly accepted: ReadonlyArray<string>; readonly resume: (key: string | null) => void }
  | { readonly _tag: "Working" }

const endOfInput = "\u0004"

export const make = (options: Options): Terminal["Service"] => {
  const { stderr, stdin } = options
  const typed = TypedAhead.make()
  const decoder = new StringDecoder("utf8")
  // The editor reads from here: it sees what is typed in Line mode and nothing else.
  const forEditor = new PassThrough()
  const waiting: Array<string> = []
  let editor: Interface | null = null
  let mode: Mode = { _tag: "Working" }
  let working: WhileWorking | null = null
  let started = false
  let ended = false

  const resume = (line: Line): void => {
    if (mode._tag !== "Line") return
    const { resume: next } = mode
    mode = { _tag: "Working" }
    // The prompt's line was not finished by whoever types.
    if (line._tag !== "Line") stderr.write("\n")
    next(line)
  }
  const end = (): void => {
    ended = true
    if (mode._tag === "Key") mode.resume(null)
    else resume({ _tag: "End" })
  }
  const makeEditor = (): Interface => {
    const made = createInterface({ input: forEditor, output: stderr, terminal: true, historySize: 200 })
    made.on("line", (text) => {
      if (mode._tag === "Line") resume({ _tag: "Line", text })
      else waiting.push(text)
    })
    made.on("SIGINT", () => {
      if (made.line === "") return resume({ _tag: "Interrupted" })
      made.write(null, { ctrl: true, name: "e" })
      made.write(null, { ctrl: true, name: "u" })
    })
    made.on("SIGTSTP", () => {
      stdin.setRawMode(false)
      process.once("SIGCONT", () => {
        stdin.setRawMode(true)
        made.prompt(true)
      })
      process.kill(process.pid, "SIGTSTP")
    })
    made.on("close", end)
    return made
  }
  const interrupt = (): void => (working === null ? options.onInterrupt() : working.onInterrupt())
  const onData = (chunk: Buffer): void => {
    if (mode._tag === "Line") return void forEditor.write(chunk)
    const input = decoder.write(chunk)
    if (mode._tag === "Key") {
      if (input.includes("\u0003")) return interrupt()
      if (input.includes(endOfInput)) return end()
      const key = input.replace(/[\r\n]+$/u, "").toLowerCase()
      if (mode.accepted.includes(key)) {
        const { resume: next } = mode
        mode = { _tag: "Working" }
        next(key)
      }
      return
    }
    const { interrupted, lines } = typed.take(input)
    if (interrupted) return interrupt()
    for (const line of lines) {
      if (working === null) waiting.push(line)
      else working.onLine(line)
    }
  }
  const start = (): void => {
    if (started) return
    started = true
    stdin.on("data", onData)
    stdin.on("end", end)
    stdin.on("error", end)
    stdin.setRawMode(true)
    stdin.resume()
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
        mode = { _tag: "Line", resume: (line) => resumeEffect(Effect.succeed(line)) }
        editor.setPrompt(prompt)
        editor.prompt()
        const ahead = typed.unfinished()
        if (ahead !== "") forEditor.write(ahead)
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
    close: () => {
      if (!started) return
      started = false
      stdin.off("data", onData)
      stdin.setRawMode(false)
      stdin.pause()
      editor?.close()
    }
  }
}
