/**
 * Shows rows on the terminal: printed rows once, in its scrollback, and the frame below them only as often as needed.
 * Changes are collected into frames; a key is echoed at once.
 */
import { empty, join, type SafeText, write } from "../text/SafeText.ts"
import * as Frame from "./Frame.ts"
import * as FrameClock from "./FrameClock.ts"

export interface Display {
  /** Prints rows above the frame, into the scrollback, oldest first. */
  readonly print: (rows: ReadonlyArray<SafeText>) => void
  /** Reports a change, which the next frame shows. */
  readonly changed: () => void
  /** Reports a key that waits for its echo: the frame is drawn once all pending input has been read. */
  readonly answer: () => void
  /** Switches to the terminal's alternate screen and back; printed rows wait until it is left. */
  readonly fullScreen: (isOn: boolean) => void
  /** Gives the terminal to another program until `meanwhile` has ended. */
  readonly suspend: (meanwhile: () => Promise<void>) => Promise<void>
  /** Prints pending rows and restores the terminal, with the cursor below. */
  readonly close: () => void
}

export interface DisplayOptions {
  readonly stdout: NodeJS.WriteStream
  /** Returns the frame to show now, which is lower than the terminal; called once for each drawn frame. */
  readonly frame: () => Frame.Frame
  /** True if the terminal reflows its rows when its width changes. */
  readonly reflows: boolean
}

/** The maximum number of rows that are printed with one frame, so that a long output never delays a key. */
export const rowsAtOnce = 300

export const make = ({ frame, reflows, stdout }: DisplayOptions): Display => {
  const waiting: Array<SafeText> = []
  let isClosed = false
  let isSuspended = false
  let isFull = false
  let shown = Frame.empty
  let size = { columns: stdout.columns, rows: stdout.rows }

  const writeSequences = (...sequences: ReadonlyArray<SafeText>): void => {
    const all = join(sequences)
    if (all !== "" && !stdout.destroyed) write(stdout, all)
  }
  /** The sequences that erase the frame. */
  const erase = (): SafeText => {
    if (shown === Frame.empty) return empty
    const isNarrower = reflows && stdout.columns < size.columns
    const erased = Frame.erase(shown, isNarrower ? Frame.addedRows(shown, stdout.columns) : 0)
    shown = Frame.empty
    return erased
  }
  /** The sequences that clear the alternate screen. */
  const clear = (): SafeText => {
    shown = Frame.empty
    return Frame.clearScreen
  }
  /** Erases the frame after a change of size, which may have moved or cut off its rows. */
  const eraseMoved = (): SafeText => {
    const isMoved = stdout.columns !== size.columns || stdout.rows !== size.rows
    const erased = isMoved ? (isFull ? clear() : erase()) : empty
    size = { columns: stdout.columns, rows: stdout.rows }
    return erased
  }
  const draw = (next: Frame.Frame): void => {
    const moved = eraseMoved()
    const printed = isFull ? [] : waiting.splice(0, rowsAtOnce)
    writeSequences(moved, printed.length === 0 ? Frame.change(shown, next) : Frame.print(shown, printed, next))
    shown = next
  }
  const clock = FrameClock.make(() => {
    if (isSuspended) return false
    draw(frame())
    return !isFull && waiting.length > 0
  })
  const setFull = (isOn: boolean): void => {
    if (isOn === isFull) return
    writeSequences(isOn ? join([erase(), Frame.enterScreen]) : join([clear(), Frame.leaveScreen]))
    isFull = isOn
  }

  stdout.on("resize", clock.answer)

  return {
    print: (rows) => {
      if (rows.length === 0) return
      for (const row of rows) waiting.push(row)
      clock.changed()
    },
    changed: clock.changed,
    answer: clock.answer,
    fullScreen: (isOn) => {
      // This is also called while a frame is drawn, so it must not request the next frame without a change.
      if (isOn === isFull) return
      setFull(isOn)
      clock.answer()
    },
    suspend: (meanwhile) => {
      const wasFull = isFull
      setFull(false)
      // Prints pending rows first, so that they are above the output of the other program.
      while (waiting.length > 0) draw(Frame.empty)
      writeSequences(erase())
      isSuspended = true
      return meanwhile().finally(() => {
        isSuspended = false
        setFull(wasFull)
        clock.answer()
      })
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      clock.stop()
      stdout.off("resize", clock.answer)
      setFull(false)
      while (waiting.length > 0) draw(Frame.empty)
      writeSequences(erase())
    }
  }
}
