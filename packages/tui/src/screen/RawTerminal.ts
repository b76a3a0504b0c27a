/**
 * The terminal while a conversation uses it: raw mode, bracketed paste, input, and the restoration of its modes
 * whenever the program ends. No other module touches its modes.
 */
import * as Result from "effect/Result"
import * as KeyDecoder from "../keys/KeyDecoder.ts"
import { type SafeText, text as safe, write as toStream } from "../text/SafeText.ts"

export interface RawTerminal {
  /** Passes keys to `onInput`, with the number of keys that arrived together. */
  readonly start: () => void
  /** Restores the terminal's modes; `start` sets them again. A second call has no effect. */
  readonly stop: () => void
}

export interface RawTerminalOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly onInput: (input: KeyDecoder.Input, isAlone: boolean) => void
  /** Called after the events of some bytes, even if the last of them is an incomplete key. */
  readonly onTyped: () => void
  /** The end of input. */
  readonly onEnd: () => void
  /** True if the terminal may be asked for its background. */
  readonly asksBackground: boolean
}

const showCursor = safe`\u001B[?25h`
const askBackground = safe`\u001B]11;?\u0007`

export const make = ({ asksBackground, onEnd, onInput, onTyped, stdin, stdout }: RawTerminalOptions): RawTerminal => {
  let state = KeyDecoder.initial
  let timer: NodeJS.Timeout | null = null
  let isOurs = false
  let hasAsked = false

  const emit = ({ inputs, state: next }: KeyDecoder.DecodeResult): void => {
    state = next
    for (const input of inputs) onInput(input, inputs.length === 1)
  }
  const onData = (chunk: Buffer): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    emit(KeyDecoder.decode(state, chunk))
    onTyped()
    if (KeyDecoder.isWaiting(state)) {
      timer = setTimeout(() => {
        timer = null
        emit(KeyDecoder.endWait(state))
      }, KeyDecoder.waitMillis)
    }
  }
  /** Sets raw mode; a terminal that has hung up has no modes. */
  const setRaw = (isRaw: boolean): void => void Result.try(() => stdin.setRawMode(isRaw))
  const write = (sequences: SafeText): void => {
    if (!stdout.destroyed) toStream(stdout, sequences)
  }
  const stop = (): void => {
    if (!isOurs) return
    isOurs = false
    if (timer !== null) clearTimeout(timer)
    timer = null
    stdin.off("data", onData)
    stdin.off("end", onEnd)
    stdin.off("error", onEnd)
    process.off("exit", stop)
    write(safe`${KeyDecoder.disable}${showCursor}`)
    setRaw(false)
    stdin.pause()
  }
  return {
    start: () => {
      if (isOurs) return
      isOurs = true
      process.on("exit", stop)
      setRaw(true)
      write(KeyDecoder.enable)
      stdin.on("data", onData)
      stdin.on("end", onEnd)
      stdin.on("error", onEnd)
      stdin.resume()
      if (asksBackground && !hasAsked) write(askBackground)
      hasAsked = true
    },
    stop
  }
}
