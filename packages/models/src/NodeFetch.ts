/**
 * `fetch` for provider packages, over node:http and node:https with connections kept alive. It does what they use of
 * it: a request with a text body, a streamed response, an abort signal. Redirects are answers, nothing is compressed.
 */
import * as http from "node:http"
import * as https from "node:https"
import { Readable } from "node:stream"

export type Fetch = typeof globalThis.fetch

export interface Options {
  /** Without a byte from the server for this long, the request fails with ETIMEDOUT. */
  readonly idleMillis: number
}

/** Connections live as long as the returned function, or until idle for a while; they keep no process alive. */
export const make = ({ idleMillis }: Options): Fetch => {
  const plain = { request: http.request, agent: new http.Agent({ keepAlive: true }) }
  const secure = { request: https.request, agent: new https.Agent({ keepAlive: true }) }

  const send = (target: URL, init: RequestInit, attempt: number): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { agent, request: open } = target.protocol === "https:" ? secure : plain
      const request = open(target, {
        method: init.method ?? "GET",
        headers: { ...(init.headers as Record<string, string>), "accept-encoding": "identity" },
        agent,
        ...(init.signal ? { signal: init.signal } : {})
      })
      request.setTimeout(idleMillis, () => {
        request.destroy(Object.assign(new Error(`silent for ${idleMillis} ms`), { code: "ETIMEDOUT" }))
      })
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just as it was used again: this is no answer, so a new one is tried.
        if (request.reusedSocket && error.code === "ECONNRESET" && attempt === 0) {
          resolve(send(target, init, 1))
        } else {
          reject(error)
        }
      })
      request.on("response", (response) => resolve(responseOf(response)))
      request.end(init.body)
    })

  return (url, init = {}) => send(new URL(url as string | URL), init, 0)
}

/** The members that provider packages read; the global Response would load all of fetch at start. */
const responseOf = (response: http.IncomingMessage): Response => {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value)
  }
  const status = response.statusCode ?? 0
  const read = () =>
    new Promise<string>((resolve, reject) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => (text += chunk))
      response.on("end", () => resolve(text))
      response.on("error", reject)
    })
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: response.statusMessage ?? "",
    headers,
    get body() {
      return Readable.toWeb(response)
    },
    text: read,
    json: () => read().then((text) => JSON.parse(text) as unknown)
  } as unknown as Response
}
