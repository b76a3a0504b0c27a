/** A request with exactly the headers of the test: a browser or `fetch` would not send some of them. */
import * as Effect from "effect/Effect"
import { request } from "node:http"
import { connect } from "node:net"

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: string
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
  readonly code: string | undefined
}

const codeOf = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { readonly code?: string }).code
  } catch {
    return undefined
  }
}

/** `url` is where the server listens; a Host header does not change that. */
export const rawRequest = (url: string, { body, headers = {}, method = "GET", path }: RawRequest) =>
  Effect.callback<RawAnswer>((resume) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path, method, headers: headers as Record<string, string>, agent: false })
    sent.on("response", (response) => {
      let text = ""
      response.on("data", (chunk) => (text += String(chunk)))
      response.on("end", () =>
        resume(
          Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text, code: codeOf(text) })
        )
      )
    })
    sent.on("upgrade", (_response, socket) => {
      socket.destroy()
      resume(Effect.succeed({ status: 101, headers: {}, text: "", code: undefined }))
    })
    sent.on("error", (error) => resume(Effect.die(error)))
    sent.end(body)
  })

/** Sends raw text, which may be a request that no client would make; returns all bytes until the connection closes. */
export const rawText = (url: string, text: string) =>
  Effect.callback<string>((resume) => {
    const { hostname, port } = new URL(url)
    let received = ""
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.setEncoding("utf8").on("data", (data) => (received += String(data)))
    socket.on("error", (error) => resume(Effect.die(error)))
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })
