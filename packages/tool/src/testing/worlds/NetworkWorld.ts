/** A network of pages by URL, which records what is sent to it. */
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import * as Capability from "../../Capability.ts"
import type * as NetworkRead from "../../NetworkRead.ts"
import type { TestWorld } from "../conformance/Subject.ts"

export interface Page {
  /** Default: 200. */
  readonly status?: number
  /** Default: `content-type: text/html`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** Makes the world. Any other URL is answered with 404, and a search finds every page. `state` shows what was sent. */
export const network = (pages: Readonly<Record<string, Page | string>> = {}): TestWorld => {
  const sent: Array<{ readonly method: string; readonly url: string; readonly body: string }> = []
  const read: NetworkRead.NetworkRead["Service"] = {
    get: (url) => Effect.succeed(responseOf(pages, url)),
    inspect: (url) =>
      Effect.sync(() => {
        const { hostname: host, port, protocol } = new URL(url)
        const usual = protocol === "https:" ? 443 : 80
        return { url, host, port: port === "" ? usual : Number(port), guard: null, nearAddresses: [] }
      }),
    search: ({ limit, query }) =>
      Effect.succeed({
        provider: "sample",
        results: Object.keys(pages)
          .slice(0, limit)
          .map((url) => ({ title: query, url, snippet: "…" }))
      })
  }
  return {
    provisions: [
      Capability.provide(Capability.NetworkRead, { service: read }),
      Capability.provide(Capability.NetworkWrite, {
        service: {
          send: ({ body, method, url }) =>
            Effect.sync(() => {
              sent.push({
                method,
                url,
                body: body === null || body === undefined ? "" : Buffer.from(body).toString("utf8")
              })
              return responseOf(pages, url)
            })
        }
      })
    ],
    state: () => sent
  }
}

const responseOf = (pages: Readonly<Record<string, Page | string>>, url: string): NetworkRead.Response => {
  const found = Object.hasOwn(pages, url) ? pages[url] : { status: 404, body: "not found" }
  const {
    body,
    headers = { "content-type": "text/html" },
    status = 200
  } = typeof found === "string" ? { body: found } : found
  return { url, status, headers, body: Buffer.from(body) }
}
