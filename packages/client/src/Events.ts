/**
 * Reads the frames of a session's tree over server-sent events, and resumes after a connection breaks. No stored entry
 * is missed or repeated.
 */
import { createParser } from "eventsource-parser"
import { pause } from "./Pause.ts"
import { errorOf, GatewayError } from "./Problem.ts"
import type { Frame } from "./Schema.ts"

/**
 * The state of the reader. `open`: new frames arrive from now on. `waiting`: the connection broke, and a new attempt is
 * pending.
 */
export type EventsState = "connecting" | "open" | "waiting"

export interface EventsOptions {
  /** The id of the last frame that the reader received; `latest`: only new frames; default: all frames. */
  readonly after?: string
  /** Ends the reader without an error. */
  readonly signal?: AbortSignal
  readonly onState?: (state: EventsState) => void
  /** The time without any data after which a connection counts as broken; default: 45 seconds, three heartbeats. */
  readonly silenceMillis?: number
}

type Send = (request: Request) => Promise<Response>

/**
 * Yields every frame except heartbeats. Throws a `GatewayError` if the gateway refuses the stream, because the gateway
 * would refuse a new connection too. It reconnects after any other failure.
 */
export const readEvents = async function* (
  url: string,
  send: Send,
  options: EventsOptions = {}
): AsyncGenerator<Frame, void, void> {
  const { onState = () => {}, signal } = options
  let after = options.after
  let attempt = 0
  const isAborted = (): boolean => signal?.aborted ?? false
  while (!isAborted()) {
    let waitMillis: number | null = null
    onState("connecting")
    try {
      for await (const frame of connection(after === undefined ? url : `${url}?after=${after}`, send, options)) {
        attempt = 0
        if (frame._tag === "Heartbeat") continue
        if (frame._tag === "Resume") {
          if (frame.reason === "deleted") return
          waitMillis = frame.retryAfterMillis
          after = later(after, frame.after)
          continue
        }
        if (frame._tag === "Entry") {
          if (!isLater(frame.id, after)) continue
          after = frame.id
        }
        yield frame
      }
    } catch (cause) {
      if (isAborted()) return
      if (cause instanceof GatewayError && isFinal(cause.status)) throw cause
    }
    onState("waiting")
    await pause(waitMillis ?? backoff(attempt), signal).catch(() => {})
    attempt += 1
  }
}

/** Returns true if the gateway would give the same answer to another request. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

/**
 * Returns the pause before an attempt: it doubles from a quarter of a second to ten seconds, and is random within that
 * range.
 */
const backoff = (attempt: number): number => Math.min(10_000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2)

/** Compares ids of frames, which are pairs of numbers. */
const isLater = (id: string, after: string | undefined): boolean => {
  const [known, found] = [numbersOf(after), numbersOf(id)]
  if (known === null || found === null) return true
  return found[0] > known[0] || (found[0] === known[0] && found[1] > known[1])
}

const numbersOf = (id: string | undefined): readonly [number, number] | null => {
  const match = /^(\d+)\.(\d+)$/u.exec(id ?? "")
  return match === null ? null : [Number(match[1]), Number(match[2])]
}

const later = (after: string | undefined, found: string | null): string | undefined =>
  found !== null && isLater(found, after) ? found : after

/** Yields the frames of one connection. */
const connection = async function* (
  url: string,
  send: Send,
  { onState = () => {}, signal, silenceMillis = 45_000 }: EventsOptions
): AsyncGenerator<Frame, void, void> {
  const broken = new AbortController()
  const request = new Request(url, {
    headers: { accept: "text/event-stream" },
    credentials: "same-origin",
    cache: "no-store",
    signal: signal === undefined ? broken.signal : AbortSignal.any([signal, broken.signal])
  })
  const withinSilence = <A>(answer: Promise<A>): Promise<A> => beforeSilence(answer, silenceMillis, signal)
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  try {
    const response = await withinSilence(send(request))
    if (!response.ok || response.body === null) {
      throw errorOf(response.status, await withinSilence(response.json()).catch(() => null))
    }
    let isOpen = false
    let frames: Array<Frame> = []
    const parser = createParser({ onEvent: ({ data }) => void frames.push(JSON.parse(data) as Frame) })
    const decoder = new TextDecoder()
    reader = response.body.getReader()
    for (;;) {
      const { done, value } = await withinSilence(reader.read())
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      const read = frames
      frames = []
      // The gateway responds before it has found the reader's position; its first frame confirms that it has.
      if (!isOpen && read.length > 0) onState("open")
      isOpen ||= read.length > 0
      yield* read
    }
  } finally {
    broken.abort()
    reader?.cancel().catch(() => {})
  }
}

/**
 * Rejects after a silence of that length, or when the signal aborts. It is not enough to abort the request: in Node,
 * the signal no longer reaches the read once a copy of the request was garbage-collected.
 */
const beforeSilence = <A>(answer: Promise<A>, silenceMillis: number, signal: AbortSignal | undefined): Promise<A> =>
  new Promise<A>((resolve, reject) => {
    const abort = (): void => reject(signal?.reason as Error)
    const silence = setTimeout(() => reject(new Error("the gateway is silent")), silenceMillis)
    signal?.addEventListener("abort", abort, { once: true })
    if (signal?.aborted === true) abort()
    void answer.then(resolve, reject).finally(() => {
      clearTimeout(silence)
      signal?.removeEventListener("abort", abort)
    })
  })
