/**
 * Requests over node:http and node:https with kept connections, and a `fetch` on top for provider packages. It supports
 * only the features that they use: a request with a text body, a streamed response, an abort signal. Redirects are
 * returned, nothing is compressed.
 */
import * as http from "node:http"
import { Readable } from "node:stream"
import * as LineLimit from "./LineLimit.ts"

export type Fetch = typeof globalThis.fetch

/** Headers; their names are in lower case. */
export type Headers = ReadonlyMap<string, string>

export interface FetchAnswer {
  readonly status: number
  readonly headers: Headers
  readonly response: http.IncomingMessage
}

export interface FetchRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal?: AbortSignal
}

export type Send = (target: URL, sending: FetchRequest) => Promise<FetchAnswer>

export interface NodeFetchOptions {
  /** The request fails with ETIMEDOUT if no byte arrives from the server for this time. */
  readonly idleMillis: number
  /** Environment variables, of which HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case, select the proxy. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

interface Connections {
  readonly request: typeof http.request
  readonly agent: http.Agent
}

interface OutgoingRequest {
  readonly target: URL
  readonly sending: FetchRequest
  readonly mayRepeat: boolean
}

/**
 * Connections live as long as the returned function, or until they have been idle for a while. They do not keep the
 * process alive.
 */
export const sender = ({ environment, idleMillis }: NodeFetchOptions): Send => {
  const direct = connecting({ keepAlive: true })
  const proxyEnv = environment === undefined ? null : proxyVariables(environment)
  const proxied = proxyEnv === null ? direct : connecting({ keepAlive: true, proxyEnv })
  const connectionsTo = (target: URL) => (isLoopback(target) ? direct(target) : proxied(target))

  const exchange = (connections: Connections, outgoing: OutgoingRequest): Promise<FetchAnswer> =>
    new Promise((resolve, reject) => {
      const { agent, request: open } = connections
      const { mayRepeat, sending, target } = outgoing
      const request = open(target, {
        method: sending.method,
        headers: { ...sending.headers, "accept-encoding": "identity" },
        agent,
        ...(sending.signal === undefined ? {} : { signal: sending.signal })
      })
      request.setTimeout(idleMillis, () => {
        request.destroy(Object.assign(new Error(`silent for ${idleMillis} ms`), { code: "ETIMEDOUT" }))
      })
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed a kept-alive connection just as it was reused. There was no response, so a new connection
        // is tried.
        if (request.reusedSocket && error.code === "ECONNRESET" && mayRepeat) {
          resolve(exchange(connections, { ...outgoing, mayRepeat: false }))
        } else {
          reject(error)
        }
      })
      request.on("response", (response) => {
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), response })
      })
      request.end(sending.body)
    })

  return (target, sending) =>
    connectionsTo(target).then((connections) => exchange(connections, { target, sending, mayRepeat: true }))
}

/** Creates agents of one kind; TLS is loaded only for a server that needs it. */
const connecting = (options: http.AgentOptions): ((target: URL) => Promise<Connections>) => {
  const plain = Promise.resolve<Connections>({ request: http.request, agent: new http.Agent(options) })
  let secure: Promise<Connections> | null = null
  return ({ protocol }) => {
    if (protocol !== "https:") return plain
    secure ??= import("node:https").then((https) => ({ request: https.request, agent: new https.Agent(options) }))
    return secure
  }
}

/** The proxy variables in the form that Node's agents accept; null: none is set. */
const proxyVariables = (environment: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv | null => {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()])
  const set = names.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []))
  return set.some(([name]) => !/^no_proxy$/i.test(name)) ? Object.fromEntries(set) : null
}

/** True for this machine, which is never reached through a proxy, even if NO_PROXY does not list it. */
const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

export const make =
  (send: Send): Fetch =>
  (url, init = {}) =>
    send(new URL(url as string | URL), {
      method: init.method ?? "GET",
      headers: init.headers as Record<string, string>,
      body: init.body as string | undefined,
      ...(init.signal ? { signal: init.signal } : {})
    }).then(responseOf)

const headersOf = (response: http.IncomingMessage): Headers => {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value)
  }
  return headers
}

/** The maximum number of characters of a body that is read as a whole, such as a list or a reason. */
const maxCharacters = 16 * 1024 * 1024

/** Returns the whole body as text. */
export const textOf = (response: http.IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    response.setEncoding("utf8")
    response.on("data", (chunk: string) => {
      text += chunk
      if (text.length > maxCharacters) response.destroy(new Error("the answer is too long"))
    })
    response.on("end", () => resolve(text))
    response.on("error", reject)
  })

/** The members that provider packages read; the global Response would load all of fetch at start. */
const responseOf = ({ headers, response, status }: FetchAnswer): Response => {
  const read = () => textOf(response)
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: response.statusMessage ?? "",
    headers,
    get body() {
      const line = LineLimit.counter()
      return Readable.toWeb(response).pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            line.bytes(chunk)
            controller.enqueue(chunk)
          }
        })
      )
    },
    text: read,
    json: () => read().then((text) => JSON.parse(text) as unknown)
  } as unknown as Response
}
