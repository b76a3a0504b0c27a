/**
 * Splits a stream into messages of the protocol: a header with the length, then JSON. A message beyond the limits ends
 * the stream.
 */
import * as Result from "effect/Result"
import { Buffer } from "node:buffer"

/** The largest message in bytes. */
export const maxMessageBytes = 32 * 1024 * 1024
const maxHeaderBytes = 4096

export interface FrameEvents {
  readonly onMessage: (message: unknown) => void
  /** Called once, with the reason why the stream cannot be read further. */
  readonly onFault: (reason: string) => void
}

export class Frames {
  readonly #events: FrameEvents
  #pieces: Array<Buffer> = []
  #bytes = 0
  /** The length of the body; null: a header is next. */
  #bodyBytes: number | null = null
  #isOver = false

  constructor(events: FrameEvents) {
    this.#events = events
  }

  take(text: string): void {
    if (this.#isOver) return
    const piece = Buffer.from(text, "utf8")
    this.#pieces.push(piece)
    this.#bytes += piece.length
    while (!this.#isOver && (this.#bodyBytes === null ? this.#header() : this.#body(this.#bodyBytes))) {
      // Each iteration removes a header or a body from the buffer.
    }
  }

  #fault(reason: string): false {
    this.#isOver = true
    this.#pieces = []
    this.#events.onFault(reason)
    return false
  }

  #joined(): Buffer {
    const [first] = this.#pieces
    const all = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces)
    this.#pieces = [all]
    return all
  }

  #drop(bytes: number): void {
    const rest = this.#joined().subarray(bytes)
    this.#pieces = rest.length === 0 ? [] : [rest]
    this.#bytes = rest.length
  }

  /** Returns true if a header was complete and removed. */
  #header(): boolean {
    if (this.#bytes === 0) return false
    const all = this.#joined()
    const end = all.subarray(0, maxHeaderBytes).indexOf("\r\n\r\n")
    if (end === -1) {
      return all.length >= maxHeaderBytes ? this.#fault("its output is not the language server protocol") : false
    }
    const declaredLength = /(?:^|\r\n)content-length: *(\d+) *(?:\r\n|$)/iu.exec(all.toString("latin1", 0, end))?.[1]
    if (declaredLength === undefined) return this.#fault("its output is not the language server protocol")
    const length = Number(declaredLength)
    if (length > maxMessageBytes) return this.#fault(`it sent a message of more than ${maxMessageBytes} bytes`)
    this.#drop(end + 4)
    this.#bodyBytes = length
    return true
  }

  /** Returns true if a message was complete and removed. A message that is not JSON is ignored. */
  #body(length: number): boolean {
    if (this.#bytes < length) return false
    const text = this.#joined().toString("utf8", 0, length)
    this.#drop(length)
    this.#bodyBytes = null
    const parsed = Result.try((): unknown => JSON.parse(text))
    if (Result.isSuccess(parsed)) this.#events.onMessage(parsed.success)
    return true
  }
}
