/**
 * Puts scenes on the terminal through ink: what is finished once, into the scrollback, and the frame below it as often as
 * needed and no oftener. Events are gathered into frames; a key is answered at once.
 */
import { type Instance, render } from "ink"
import { createElement } from "react"
import type { Block } from "./Block.ts"
import * as BlockRows from "./BlockRows.ts"
import * as Frame from "./Frame.ts"
import { FrameStream } from "./FrameStream.ts"
import type { Place } from "./markdown/MarkdownRows.ts"
import * as Rows from "./Rows.ts"
import { type Printed, Screen } from "./Screen.ts"

/** Between frames that nobody typed for: 30 a second. */
const frameMillis = 33
/** Rows that go into the scrollback with one frame, so that a key is never kept waiting by a long output. */
const rowsAtOnce = 300
/** The library's own limit, above ours: a key's frame must not wait for it. */
const mostFrames = 250

export interface Display {
  /** Finished blocks, oldest first. */
  readonly print: (blocks: ReadonlyArray<Block>) => void
  /** Something has changed: it is shown with the next frame. */
  readonly changed: () => void
  /** Somebody waits for it: it is shown as soon as what is being read has been read. */
  readonly answer: () => void
  /** The terminal is another program's until `meanwhile` has ended. */
  readonly suspend: (meanwhile: () => Promise<void>) => Promise<void>
  /** Prints what is left and leaves the terminal as it was, with the cursor below. */
  readonly close: () => void
}

export interface Options {
  readonly stdout: NodeJS.WriteStream
  readonly stdin: NodeJS.ReadStream
  /** What to show now, brought up to date; called once for each frame. */
  readonly scene: () => Frame.Scene
  readonly place: () => Place
  /** Whether the terminal lays its rows out anew when it changes its width. */
  readonly reflows: boolean
}

export const make = ({ place, reflows, scene, stdin, stdout }: Options): Display => {
  const stream = new FrameStream(stdout)
  const printed: Array<Printed> = []
  let waiting: Array<string> = []
  let before: Block | null = null
  let timer: NodeJS.Timeout | null = null
  let soon: NodeJS.Immediate | null = null
  let shownAtMillis = 0
  let isClosed = false
  let isSuspended = false
  let suspendInk: ((meanwhile: () => Promise<void>) => Promise<void>) | null = null
  let last: Frame.Frame = { rows: [], cursor: { x: 0, y: 0 } }
  let columns = stdout.columns
  // Made with the first frame, below what is printed first: some terminals keep what is erased at their very top.
  let instance: Instance | null = null

  const element = (): Parameters<typeof render>[0] =>
    createElement(Screen, {
      printed,
      frame: last,
      onMount: (suspend) => {
        suspendInk = suspend
      }
    })
  const draw = (): void => {
    if (instance !== null) return instance.rerender(element())
    instance = render(element(), {
      // A Writable with the few members of a terminal that ink reads.
      stdout: stream as unknown as NodeJS.WriteStream,
      stdin,
      exitOnCtrlC: false,
      patchConsole: false,
      interactive: true,
      incrementalRendering: true,
      maxFps: mostFrames
    })
  }
  const takeRows = (): void => {
    if (waiting.length === 0) return
    const rows = waiting.slice(0, rowsAtOnce)
    waiting = waiting.slice(rowsAtOnce)
    // What was printed is the terminal's now; its text need not be kept.
    const previous = printed.length - 1
    if (previous >= 0) printed[previous] = { id: printed[previous].id, text: "" }
    printed.push({ id: printed.length, text: rows.join("\n") || " " })
  }
  const show = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    soon = null
    if (isClosed || isSuspended) return
    last = Frame.of(scene())
    takeRows()
    shownAtMillis = performance.now()
    draw()
    if (waiting.length > 0) soon = setImmediate(show)
  }
  const changed = (): void => {
    if (isClosed || timer !== null || soon !== null) return
    const due = shownAtMillis + frameMillis - performance.now()
    if (due <= 0) soon = setImmediate(show)
    else timer = setTimeout(show, due)
  }
  const answer = (): void => {
    if (!isClosed && soon === null) soon = setImmediate(show)
  }

  const resized = (): void => {
    // A terminal that lays out anew has more rows of the last frame than were written: they go first.
    if (reflows && stdout.columns < columns) stream.write(toTopOfReflowed(last, stdout.columns))
    columns = stdout.columns
    last = Frame.of(scene())
    stream.emit("resize")
    answer()
  }

  stdout.on("resize", resized)

  return {
    print: (blocks) => {
      for (const block of blocks) {
        waiting.push(...BlockRows.rows(block, before, place()))
        before = block
      }
      if (blocks.length > 0) changed()
    },
    changed,
    answer,
    suspend: async (meanwhile) => {
      isSuspended = true
      await suspendInk?.(async () => {
        stream.flush()
        await meanwhile()
      })
      isSuspended = false
      answer()
    },
    close: () => {
      if (isClosed) return
      while (waiting.length > 0) show()
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      if (soon !== null) clearImmediate(soon)
      stdout.off("resize", resized)
      last = { rows: [], cursor: { x: 0, y: 0 } }
      if (instance === null) return
      draw()
      instance.unmount()
      stream.flush()
    }
  }
}

/** Up by the rows that the frame above the cursor has gained: the library counts them as they were written. */
const toTopOfReflowed = ({ cursor, rows }: Frame.Frame, columns: number): string => {
  const gained = rows
    .slice(0, cursor.y)
    .reduce((sum, row) => sum + Math.max(0, Math.ceil(Rows.width(row) / columns) - 1), Math.floor(cursor.x / columns))
  return gained === 0 ? "" : `\u001B[${gained}A`
}
