/**
 * Writes text to a response whose header was sent, as chunks of HTTP/1.1 straight to its connection: `response.write`
 * makes three pieces of each chunk, and gathers them again at the end of the turn.
 */
import { ServerResponse } from "node:http"
import type { Writable } from "node:stream"

/** Writes the body of a response; each written text is a complete chunk. */
export interface ChunkWriter {
  readonly stream: Pick<Writable, "destroyed" | "writableNeedDrain" | "on" | "off">
  readonly write: (text: string) => void
}

export const outletOf = (response: Writable): ChunkWriter => {
  const chunked =
    response instanceof ServerResponse && response.headersSent && response.chunkedEncoding ? response : null
  const socket = chunked?.socket ?? null
  // A client of HTTP/1.0 gets no chunks, and a response that waits for an earlier one on its connection has no socket.
  if (chunked === null || socket === null) return { stream: response, write: (text) => void response.write(text) }
  return {
    stream: socket,
    write: (text) => {
      // The response still buffers text that was written in the same turn: it must be sent first.
      if (chunked.writableLength > socket.writableLength) return void response.write(text)
      const bytes = Buffer.byteLength(text)
      const chunk = `${bytes.toString(16)}\r\n${text}\r\n`
      // Text of ASCII only is copied instead of encoded.
      socket.write(chunk, bytes === text.length ? "latin1" : "utf8")
    }
  }
}
