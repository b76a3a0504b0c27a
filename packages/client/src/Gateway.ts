/** Typed requests to one gateway, and the events of its sessions. */
import createClient, { type Client } from "openapi-fetch"
import { type EventsOptions, readEvents } from "./Events.ts"
import { pause } from "./Pause.ts"
import { GatewayError } from "./Problem.ts"
import { requestKey } from "./RequestKey.ts"
import type { Frame, paths } from "./Schema.ts"

export interface GatewayOptions {
  /** The address of the gateway, including its path prefix, such as `https://example.org/bough`. */
  readonly baseUrl: string
  /** A bearer token; default: none, for a page that is signed in by a cookie. */
  readonly token?: string
  /** Returns the headers of every request that changes something, such as a token against forged requests. */
  readonly mutationHeaders?: () => Readonly<Record<string, string>>
  /** The function that sends requests; default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * The maximum number of retries of a request that did not reach the server, or reached a server that was about to
   * restart; default: 3.
   */
  readonly retries?: number
}

export interface Gateway {
  /** One function per HTTP method: `api.GET("/api/v1/sessions")` returns `data` or `error`. */
  readonly api: Client<paths>
  /** Yields the frames of a session and its descendants, without end: see `readEvents`. */
  readonly events: (sessionId: string, options?: EventsOptions) => AsyncGenerator<Frame, void, void>
}

export const connect = (options: GatewayOptions): Gateway => {
  const baseUrl = options.baseUrl.replace(/\/+$/u, "")
  const send = sender(options)
  return {
    api: createClient<paths>({ baseUrl, fetch: send, credentials: "same-origin" }),
    events: (sessionId, eventsOptions) =>
      readEvents(`${baseUrl}/api/v1/sessions/${encodeURIComponent(sessionId)}/events`, send, eventsOptions)
  }
}

/** Sends a request with the headers of the options. All retries of a mutation have the same idempotency key. */
const sender = (options: GatewayOptions) => {
  const { mutationHeaders = (): Readonly<Record<string, string>> => ({}), retries = 3, token } = options
  const platform = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  return async (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers)
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`)
    if (request.method !== "GET" && request.method !== "HEAD") {
      if (!headers.has("idempotency-key")) headers.set("idempotency-key", requestKey())
      for (const [name, value] of Object.entries(mutationHeaders())) headers.set(name, value)
    }
    const complete = new Request(request, { headers })
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries
      const response = await platform(complete.clone()).catch((cause: unknown) => {
        if (isLast || complete.signal.aborted) throw unreachable(cause)
        return null
      })
      if (response !== null && (isLast || response.status !== 503)) return response
      await pause(waitOf(response, attempt), complete.signal)
    }
  }
}

const unreachable = (cause: unknown): Error =>
  cause instanceof DOMException && cause.name === "AbortError"
    ? cause
    : new GatewayError(0, null, "the gateway cannot be reached")

const maxWait = 5_000

/** Returns the pause before a retry: the pause that the server requested, or else pauses that double. */
const waitOf = (response: Response | null, attempt: number): number => {
  const seconds = Number(response?.headers.get("retry-after") ?? Number.NaN)
  return Math.min(maxWait, Number.isFinite(seconds) ? seconds * 1000 : 200 * 2 ** attempt)
}
