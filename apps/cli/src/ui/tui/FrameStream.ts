/**
 * Where frames are written: one write for all that belongs together, so that no half of a frame is seen. What the screen
 * library writes between the marks of a synchronized update is held until the end of it.
 */
import { Writable } from "node:stream"

const begin = "\u001B[?2026h"
const end = "\u001B[?2026l"

export class FrameStream extends Writable {
  readonly isTTY = true
  private held = ""
  private depth = 0
  private scheduled = false
  private readonly target: NodeJS.WriteStream

  constructor(target: NodeJS.WriteStream) {
    super({ decodeStrings: false })
    this.target = target
  }

  get columns(): number {
    return this.target.columns
  }

  get rows(): number {
    return this.target.rows
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    const text = chunk.toString()
    if (text === begin) this.depth += 1
    else if (text === end) this.depth = Math.max(0, this.depth - 1)
    this.held += text
    if (this.depth === 0) this.schedule()
    done()
  }

  /** Everything that is held goes out now. */
  flush(): void {
    this.scheduled = false
    if (this.held === "" || this.target.destroyed) return
    const text = this.held
    this.held = ""
    this.target.write(text)
  }

  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    queueMicrotask(() => this.flush())
  }
}
