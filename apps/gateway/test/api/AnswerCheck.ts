/**
 * Compares every answer of the servers in this process with the document of the API: those to the requests of a test, of
 * a page in a browser and of other people's clients. It reads what a server writes, so it neither delays nor changes
 * anything, as a proxy would.
 */
import { subscribe } from "node:diagnostics_channel"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Document from "./Document.ts"

/** The channel on which Node reports each request that a server begins to answer. */
const channel = "http.server.request.start"

interface StartedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The answers of one server. */
export interface CheckedAnswers {
  /** How many answers were compared, by the id of their operation. */
  readonly compared: Map<string, number>
  /** How answers departed from the document. */
  readonly departures: Array<string>
  /** Waits, once the server has closed, until its last answers are compared. */
  readonly end: () => Promise<void>
}

interface ObservedServer extends CheckedAnswers {
  /** The answers that the server has not ended. */
  readonly open: Set<Promise<void>>
}

const byPort = new Map<number, ObservedServer>()
let isSubscribed = false

/** Starts to compare the answers of the server on this port; other servers of this process are left alone. */
export const begin = (port: number): CheckedAnswers => {
  if (!isSubscribed) subscribe(channel, (message) => observe(message as StartedRequest))
  isSubscribed = true
  const open = new Set<Promise<void>>()
  const end = async (): Promise<void> => {
    await Promise.all(open)
    byPort.delete(port)
  }
  const answers: ObservedServer = { compared: new Map(), departures: [], open, end }
  byPort.set(port, answers)
  return answers
}

const observe = ({ request, response }: StartedRequest): void => {
  const answers = byPort.get(request.socket.localPort ?? 0)
  const operation = Document.operationOf(request.method ?? "", request.url ?? "")
  if (answers === undefined || operation === null) return
  const written = readWritten(response)
  const closed = Promise.withResolvers<void>()
  answers.open.add(closed.promise)
  response.once("close", () => {
    compare(answers, operation, { response, written })
    answers.open.delete(closed.promise)
    closed.resolve()
  })
}

const compare = (
  { compared, departures }: CheckedAnswers,
  operation: Document.Operation,
  { response, written }: { readonly response: ServerResponse; readonly written: Written }
): void => {
  const contentType = written.contentType()
  // A client leaves a stream of events at any time; another answer that it leaves is not whole and says nothing.
  if (!response.writableFinished && contentType?.startsWith("text/event-stream") !== true) return
  const text = Buffer.concat(written.chunks).toString("utf8")
  const why = Document.departure(operation, { status: response.statusCode, contentType, text })
  const { operationId } = operation
  compared.set(operationId, (compared.get(operationId) ?? 0) + 1)
  if (why !== null) departures.push(`${operationId} departs from the document: ${why}`)
}

interface Written {
  readonly chunks: ReadonlyArray<Buffer>
  readonly contentType: () => string | null
}

/** Collects the pieces of a body before they are sent, and the type that its header states. */
const readWritten = (response: ServerResponse): Written => {
  const chunks: Array<Buffer> = []
  let stated: string | null = null
  const before = (name: "write" | "end" | "writeHead", seen: (parameters: ReadonlyArray<unknown>) => void): void => {
    const original = response[name] as (...parameters: ReadonlyArray<unknown>) => unknown
    const reading = (...parameters: ReadonlyArray<unknown>): unknown => {
      seen(parameters)
      return original.apply(response, [...parameters])
    }
    Object.assign(response, { [name]: reading })
  }
  const addChunk = ([chunk, encoding]: ReadonlyArray<unknown>): void => {
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, encodingOf(encoding)))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  before("write", addChunk)
  before("end", addChunk)
  before("writeHead", (parameters) => (stated = statedType(parameters.at(-1)) ?? stated))
  return { chunks, contentType: () => stated ?? response.getHeader("content-type")?.toString() ?? null }
}

/** Returns the type in headers that are written at once, which the response does not keep. */
const statedType = (headers: unknown): string | null => {
  if (typeof headers !== "object" || headers === null) return null
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type") ?? []
  return typeof type === "string" ? type : null
}

const encodingOf = (value: unknown): BufferEncoding =>
  typeof value === "string" && Buffer.isEncoding(value) ? value : "utf8"
