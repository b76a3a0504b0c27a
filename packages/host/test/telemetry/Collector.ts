/** An OTLP receiver over HTTP in the process of a test. It stores its requests, and answers as the test says. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Collector {
  readonly address: string
  readonly received: ReadonlyArray<Received>
  /** Waits for the first request. */
  readonly reached: Effect.Effect<void>
}

type Respond = (response: ServerResponse) => void

export const accept: Respond = (response) => void response.writeHead(200).end()

/** Listens until the scope closes. */
export const make = (respond: Respond = accept) =>
  Effect.acquireRelease(
    Effect.callback<Collector & { readonly close: () => void }>((resume) => {
      const received: Array<Received> = []
      const reached = Deferred.makeUnsafe<void>()
      const server = createServer((request, response) => {
        const parts: Array<Buffer> = []
        request.on("data", (part: Buffer) => parts.push(part))
        request.on("end", () => {
          received.push({ url: request.url ?? "", headers: request.headers, body: Buffer.concat(parts) })
          Deferred.doneUnsafe(reached, Effect.void)
          respond(response)
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(
          Effect.succeed({ address: `http://127.0.0.1:${port}`, received, reached: Deferred.await(reached), close })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string }
}

export interface ReceivedSpan {
  readonly name: string
  readonly spanId: string
  readonly traceId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly events: ReadonlyArray<{ readonly attributes: ReadonlyArray<Attribute> }>
  readonly status: { readonly code: number; readonly message?: string }
}

interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: ReadonlyArray<Attribute> }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<ReceivedSpan> }>
  }>
}

const tracesOf = ({ received }: Pick<Collector, "received">) =>
  received.flatMap(({ body }) => (JSON.parse(body.toString()) as Traces).resourceSpans)

/** The spans of every request, which were sent as JSON. */
export const spans = (collector: Pick<Collector, "received">): ReadonlyArray<ReceivedSpan> =>
  tracesOf(collector).flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))

/** The attributes of the resource that the first request names. */
export const resource = (collector: Pick<Collector, "received">): Readonly<Record<string, unknown>> =>
  Object.fromEntries(tracesOf(collector)[0].resource.attributes.map(({ key, value }) => [key, value.stringValue]))
