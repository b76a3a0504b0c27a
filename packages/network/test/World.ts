/** A network on loopback: a scripted name server, and web servers that count their visitors. */
import { ToolError } from "@bough/protocol"
import type { Grant } from "@bough/tool"
import * as Effect from "effect/Effect"
import { createSocket, type Socket as Datagram } from "node:dgram"
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Network } from "../src/index.ts"
import type { Limits } from "../src/Limits.ts"

/** The text that must never be returned. */
export const canary = "canary-91c2"

/**
 * The answers for a name; with a list of lists, each query in turn gets its own answers, and later queries get the
 * last.
 */
export type Zone = Readonly<Record<string, ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>>>>

export interface Site {
  readonly port: number
  /** Connections and requests so far. */
  readonly seen: { connections: number; readonly requests: Array<IncomingMessage> }
}

/** A web server until the scope ends. */
export const serve = (listener: RequestListener, host = "127.0.0.1") =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<{ readonly server: Server; readonly site: Site }>((resolve) => {
            const seen: Site["seen"] = { connections: 0, requests: [] }
            const server = createServer((request, response) => {
              seen.requests.push(request)
              listener(request, response)
            })
            server.on("connection", () => {
              seen.connections += 1
            })
            server.listen(0, host, () =>
              resolve({ server, site: { port: (server.address() as AddressInfo).port, seen } })
            )
          })
      ),
      ({ server }) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    ),
    ({ site }) => site
  )

/** A name server until the scope ends; its `address:port`. */
export const nameServer = (zone: Zone, asked = new Map<string, number>()) => {
  const addresses = (name: string, version: 4 | 6): ReadonlyArray<string> => {
    const answers = zone[name] ?? []
    const key = `${name} ${version}`
    const count = asked.get(key) ?? 0
    asked.set(key, count + 1)
    const now = typeof answers[0] === "string" ? answers : answers[Math.min(count, answers.length - 1)]
    return ((now ?? []) as ReadonlyArray<string>).filter((address) => address.includes(":") === (version === 6))
  }
  return Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<Datagram>((resolve) => {
            const socket = createSocket("udp4")
            socket.on("message", (question, from) => {
              socket.send(answerTo(question, addresses), from.port, from.address)
            })
            socket.bind(0, "127.0.0.1", () => resolve(socket))
          })
      ),
      (socket) => Effect.sync(() => socket.close())
    ),
    (socket) => `127.0.0.1:${socket.address().port}`
  )
}

const typeA = 1

const answerTo = (question: Buffer, addresses: (name: string, version: 4 | 6) => ReadonlyArray<string>): Buffer => {
  const labels: Array<string> = []
  let at = 12
  while (question[at] !== 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + question[at]))
    at += question[at] + 1
  }
  const type = question.readUInt16BE(at + 1)
  const found = addresses(labels.join(".").toLowerCase(), type === typeA ? 4 : 6)
  const head = Buffer.from(question.subarray(0, at + 5))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(found.length, 6)
  // The other records of the query, such as options, are not answered.
  head.fill(0, 8, 12)
  return Buffer.concat([head, ...found.map((address) => record(type, bytesOf(address)))])
}

const record = (type: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([head, data])
}

/** IPv6 addresses are written in full in these tests. */
const bytesOf = (address: string): Buffer =>
  address.includes(":")
    ? Buffer.concat(address.split(":").map((group) => Buffer.from(group.padStart(4, "0"), "hex")))
    : Buffer.from(address.split(".").map(Number))

/** Some other public machine: it has no listener, and no test may connect to it. */
export const elsewhere = "93.184.216.34"

export interface Setting {
  readonly zone?: Zone
  readonly listener?: RequestListener
  readonly limits?: Partial<Limits>
  readonly grants?: ReadonlyArray<Grant.Grant>
}

/**
 * `public.test` is a site that the operator listed, so that it may be on loopback. `private` is a second one that no
 * request may reach.
 */
export const open = Effect.fnUntraced(function* (setting: Setting = {}) {
  const site = yield* serve(setting.listener ?? ((_, response) => response.end("public page")))
  const hidden = yield* serve((_, response) => response.end(canary))
  const requestCounts = new Map<string, number>()
  const server = yield* nameServer({ "public.test": ["127.0.0.1"], ...setting.zone }, requestCounts)
  const network = Network.make({
    nameServers: [server],
    allow: [{ host: "Public.test.", port: site.port }],
    ...(setting.limits === undefined ? {} : { limits: setting.limits })
  })
  const grants = setting.grants ?? []
  return {
    site,
    hidden,
    network,
    /** Names that were resolved. */
    queried: () => [...requestCounts.keys()].map((key) => key.replace(/ .*$/u, "")),
    read: network.read(grants),
    write: network.write(grants),
    at: (path: string) => `http://public.test:${site.port}${path}`
  }
})

/** The full text of a failure as its reader sees it; a success fails the test that awaits a failure. */
export const refusal = <A>(effect: Effect.Effect<A, ToolError.ToolError>): Effect.Effect<string> =>
  Effect.match(effect, {
    onSuccess: (answer) => `went through: ${JSON.stringify(answer)}`,
    onFailure: (error) => `${error._tag} ${ToolError.describe(ToolError.toData(error))}`
  })

export const text = ({ body }: { readonly body: Uint8Array }): string => new TextDecoder().decode(body)
