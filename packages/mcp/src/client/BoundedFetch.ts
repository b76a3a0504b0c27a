/**
 * Limits the size of a server's responses: the size of a body, and the size of each event of an event stream, because
 * their parsers hold the text until it is complete.
 */
import type { Fetch } from "./Ports.ts"

/** The largest body, and the largest event of a stream, in bytes. */
const maxBytes = 32 * 1024 * 1024

/** The reason that users read. */
const tooLargeReason = `it sent a message of more than ${maxBytes} bytes`

/** Bounds the responses. `onBeyond` is called with the reason once a response is too large. */
export const make =
  (send: Fetch, onBeyond: (reason: string) => void): Fetch =>
  (url, init) =>
    send(url, init).then((response) => {
      const { body, headers, status, statusText } = response
      if (body === null) return response
      const isStream = headers.get("content-type")?.includes("text/event-stream") === true
      const measure = isStream ? eventMeter() : bodyMeter()
      const bounded = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          if (measure(chunk) <= maxBytes) return controller.enqueue(chunk)
          controller.error(new Error(tooLargeReason))
          onBeyond(tooLargeReason)
        }
      })
      return new Response(body.pipeThrough(bounded as ReadableWritablePair<Uint8Array, never>), {
        status,
        statusText,
        headers
      })
    })

/** Returns the bytes so far. */
type Meter = (chunk: Uint8Array) => number

const bodyMeter = (): Meter => {
  let bytes = 0
  return (chunk) => (bytes += chunk.length)
}

const newline = 10
const carriageReturn = 13

/** Counts the bytes since the last empty line, which ends an event. */
const eventMeter = (): Meter => {
  let bytes = 0
  let lineBytes = 0
  let last = 0
  return (chunk) => {
    for (const byte of chunk) {
      bytes += 1
      if (byte !== newline && byte !== carriageReturn) lineBytes += 1
      else if (byte === carriageReturn || last !== carriageReturn) {
        if (lineBytes === 0) bytes = 0
        lineBytes = 0
      }
      last = byte
    }
    return bytes
  }
}
