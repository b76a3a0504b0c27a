/** Messages over the standard streams of a process, one per line, within bounds. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import * as Result from "effect/Result"

/** The longest message that a server may send. */
const maxLineLength = 32 * 1024 * 1024
const keptErrorLength = 2000

export interface PipeOptions {
  readonly write: (text: string) => void
  /** Ends the process. */
  readonly end: () => void
  readonly parse: (value: unknown) => JSONRPCMessage | null
}

export class PipeTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport["onmessage"]
  readonly #options: PipeOptions
  #pieces: Array<string> = []
  #length = 0
  #isClosed = false
  /** The last part of the process's standard error; after a message that was too long, a sentence about it instead. */
  errorOutput = ""

  constructor(options: PipeOptions) {
    this.#options = options
  }

  start(): Promise<void> {
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("the server's process has ended"))
    this.#options.write(`${JSON.stringify(message)}\n`)
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.ended()
    this.#options.end()
    return Promise.resolve()
  }

  ended(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#pieces = []
    this.onclose?.()
  }

  took(stream: "stdout" | "stderr", text: string): void {
    if (this.#isClosed) return
    if (stream === "stderr") {
      this.errorOutput = (this.errorOutput + text).slice(-keptErrorLength)
      return
    }
    const lines = text.split("\n")
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#line()
      this.#pieces.push(line)
      this.#length += line.length
    }
    if (this.#length > maxLineLength) {
      this.errorOutput = `it sent a message of more than ${maxLineLength} characters`
      void this.close()
    }
  }

  /** Handles a line. A line that is not a message is skipped, because many programs print to the wrong stream. */
  #line(): void {
    const line = this.#pieces.join("")
    this.#pieces = []
    this.#length = 0
    if (line.trim() === "") return
    const parsed = Result.getOrElse(
      Result.try((): unknown => JSON.parse(line)),
      () => null
    )
    // Some versions of the protocol allow several messages in a line.
    for (const one of Array.isArray(parsed) ? (parsed as ReadonlyArray<unknown>) : [parsed]) {
      const message = this.#options.parse(one) ?? errorForMalformed(one)
      if (message === null) this.onerror?.(new Error("a line from the server is not a message"))
      else if ("method" in message) this.onmessage?.(message)
      // The SDK handles notifications a microtask later, and would drop the progress that came just before its response.
      else queueMicrotask(() => this.onmessage?.(message))
    }
  }
}

/** Makes an error response from a malformed response; null if it is not a response. */
const errorForMalformed = (value: unknown): JSONRPCMessage | null => {
  if (typeof value !== "object" || value === null || "method" in value || !("id" in value)) return null
  const { id } = value
  if (typeof id !== "string" && typeof id !== "number") return null
  return { jsonrpc: "2.0", id, error: { code: malformedCode, message: "its answer does not follow the protocol" } }
}

/** "Invalid request" in JSON-RPC. */
const malformedCode = -32_600
