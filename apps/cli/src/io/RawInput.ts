/**
 * Input of a terminal without line editing: typed or pasted text, and the terminal modes for it, which are restored
 * whenever the program ends.
 */
import { write } from "@bough/tui/text/SafeText"
import { StringDecoder } from "node:string_decoder"
import * as Pastes from "./Pastes.ts"

export interface RawInput {
  /** Sets the modes; a second call has no effect. */
  readonly start: () => void
  /** Restores the terminal; `start` takes it again. A second call has no effect. */
  readonly stop: () => void
  /** Suspends the process if the driver sees Ctrl-Z; calls `again` when it resumes. */
  readonly suspend: (onResume: () => void) => void
}

export interface RawInputOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  /** True: the terminal is not asked to mark pastes. */
  readonly isDumb: boolean
  readonly onPiece: (piece: Pastes.InputPart) => void
  /** Called after the pieces of typed or pasted input, even if the last piece is incomplete. */
  readonly onTyped: () => void
  /** The end of input. */
  readonly onEnd: () => void
  /** Called when the input was stopped, including by the end of the process. */
  readonly onStop: () => void
}

export const make = ({ isDumb, onEnd, onPiece, onStop, onTyped, stderr, stdin }: RawInputOptions): RawInput => {
  const decoder = new StringDecoder("utf8")
  const partsOf = Pastes.make()
  let isStarted = false

  const setRaw = (isRaw: boolean): void => {
    try {
      stdin.setRawMode(isRaw)
    } catch {
      // A terminal that has hung up has no modes.
    }
    if (!isDumb && !stderr.destroyed) write(stderr, isRaw ? Pastes.enable : Pastes.disable)
  }
  const onData = (chunk: Buffer): void => {
    for (const piece of partsOf(decoder.write(chunk))) onPiece(piece)
    onTyped()
  }
  const stop = (): void => {
    if (!isStarted) return
    isStarted = false
    process.off("exit", stop)
    stdin.off("data", onData)
    setRaw(false)
    stdin.pause()
    onStop()
  }
  return {
    start: () => {
      if (isStarted) return
      isStarted = true
      stdin.on("data", onData)
      stdin.on("end", onEnd)
      stdin.on("error", onEnd)
      process.on("exit", stop)
      setRaw(true)
      stdin.resume()
    },
    stop,
    suspend: (onResume) => {
      setRaw(false)
      process.once("SIGCONT", () => {
        setRaw(true)
        onResume()
      })
      process.kill(process.pid, "SIGTSTP")
    }
  }
}
