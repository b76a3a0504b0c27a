/**
 * Puts scenes on the terminal through ink: what is finished once, into the scrollback, and the frame below it as often as
 * needed and no oftener. Events are gathered into frames; a key is answered at once.
 */
import { type Instance, render } from "ink"
import { createElement } from "react"
import stringWidth from "string-width"
import type { Block } from "./Block.ts"
import * as Frame from "./Frame.ts"
import * as FrameClock from "@bough/tui/screen/FrameClock"
import { FrameStream } from "./FrameStream.ts"
import type { RowContext } from "@bough/tui/text/RowContext"
import { Screen } from "./Screen.ts"
import * as Scrollback from "./Scrollback.ts"

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

export interface DisplayOptions {
  readonly stdout: NodeJS.WriteStream
  readonly stdin: NodeJS.ReadStream
  /** What to show now, brought up to date; called once for each frame. */
  readonly scene: () => Frame.Scene
  readonly place: () => RowContext
  /** Whether the terminal lays its rows out anew when it changes its width. */
  readonly reflows: boolean
}

const noFrame: Frame.Frame = { rows: [], cursor: { x: 0, y: 0 } }

export const make = ({ place, reflows, scene, stdin, stdout }: DisplayOptions): Display => {
  const stream = new FrameStream(stdout)
  const scrollback = Scrollback.make()
  let isClosed = false
  let isSuspended = false
  let suspendInk: ((meanwhile: () => Promise<void>) => Promise<void>) | null = null
  let last = noFrame
  let columns = stdout.columns
  // Made with the first frame, below what is printed first: some terminals keep what is erased at their very top.
  let instance: Instance | null = null

  const element = (): Parameters<typeof render>[0] =>
    createElement(Screen, {
      printed: scrollback.printed,
      frame: last,
      onMount: (suspend) => {
        suspendInk = suspend
      }
    })
  const show = (): void => {
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
  const draw = (): void => {
    last = Frame.layoutFrame(scene())
    scrollback.next()
    show()
  }
  const clock = FrameClock.make(() => {
    if (isSuspended) return false
    draw()
    return scrollback.isWaiting()
  })

  const resized = (): void => {
    // A terminal that lays out anew has more rows of the last frame than were written: they go first.
    if (reflows && stdout.columns < columns) stream.write(toTopOfReflowed(last, stdout.columns))
    columns = stdout.columns
    last = Frame.layoutFrame(scene())
    stream.emit("resize")
    clock.answer()
  }

  stdout.on("resize", resized)

  return {
    print: (blocks) => {
      scrollback.add(blocks, place())
      if (blocks.length > 0) clock.changed()
    },
    changed: clock.changed,
    answer: clock.answer,
    suspend: async (meanwhile) => {
      isSuspended = true
      await suspendInk?.(async () => {
        stream.flush()
        await meanwhile()
      })
      isSuspended = false
      clock.answer()
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      while (scrollback.isWaiting()) draw()
      clock.stop()
      stdout.off("resize", resized)
      last = noFrame
      if (instance === null) return
      show()
      instance.unmount()
      stream.flush()
    }
  }
}

/**
 * Up by the rows that the frame above the cursor has gained: the library counts them as they were written. Measured as
 * most terminals draw them: too many would erase what was printed above.
 */
const toTopOfReflowed = ({ cursor, rows }: Frame.Frame, columns: number): string => {
  const gained = rows
    .slice(0, cursor.y)
    .reduce((sum, row) => sum + Math.max(0, Math.ceil(stringWidth(row) / columns) - 1), Math.floor(cursor.x / columns))
  return gained === 0 ? "" : `\u001B[${gained}A`
}
