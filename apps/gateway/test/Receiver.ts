/** A receiver of webhooks: a real server that stores its requests, and answers as the test says. */
import * as Effect from "effect/Effect"
import { createHmac } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface ReceivedMessage {
  readonly id: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly json: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }
}

export type AnswerMessage = (response: ServerResponse, message: ReceivedMessage, index: number) => void

export const ok: AnswerMessage = (response) => void response.writeHead(204).end()

/** Listens on loopback until the scope closes. */
export const listen = Effect.fnUntraced(function* (answer: AnswerMessage = ok) {
  const messages: Array<ReceivedMessage> = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const { headers, url = "" } = request
      const message = { id: String(headers["webhook-id"]), path: url, headers, body, json: JSON.parse(body) }
      answer(response, message, messages.push(message) - 1)
      for (const wake of waiting) wake()
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.closeAllConnections()
            server.close(() => resolve())
          })
      )
  )
  const { port } = server.address() as AddressInfo
  /** Returns once the messages so far satisfy the test's condition. */
  const until = (isThere: (messages: ReadonlyArray<ReceivedMessage>) => boolean) =>
    Effect.callback<ReadonlyArray<ReceivedMessage>>((resume) => {
      const look = (): void => {
        if (!isThere(messages)) return
        waiting.delete(look)
        resume(Effect.succeed([...messages]))
      }
      waiting.add(look)
      look()
      return Effect.sync(() => waiting.delete(look))
    })
  return { port, url: `http://127.0.0.1:${port}/hook`, messages, until }
})

/** The signature that a receiver with that secret expects. */
export const signatureOf = ({ body, headers, id }: ReceivedMessage, secret: string): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
    .update(`${id}.${String(headers["webhook-timestamp"])}.${body}`)
    .digest("base64")}`
