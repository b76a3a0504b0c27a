/** A measured gateway: its process, and the requests of the load generator to it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { check } from "../Check.ts"
import type { GatewayOptions, GatewayReady } from "../programs/gatewayServer.ts"
import * as Child from "./Child.ts"
import * as GatewayModel from "./GatewayModel.ts"
import * as Requests from "./Requests.ts"

/** The maximum number of concurrent requests that prepare a measurement; timed requests have their own limit. */
const concurrency = 16
/** The maximum number of streams per token; the gateway refuses more. */
const streamsPerToken = 60

export interface Session {
  readonly id: string
  readonly workspaceId: string
}

interface SessionView {
  readonly state: string
  readonly entries: number
}

export interface Gateway {
  readonly child: Child.Child<GatewayReady>
  readonly token: (index: number) => string
  readonly create: (count: number) => Promise<ReadonlyArray<Session>>
  /** Sends each session a message. */
  readonly send: (sessions: ReadonlyArray<Session>, text: string) => Promise<void>
  /** Opens a stream of each session, which begins with new events. */
  readonly streams: (
    sessions: ReadonlyArray<Session>,
    use: (index: number, data: string, receivedMillis: number) => void
  ) => Promise<ReadonlyArray<Requests.OpenStream>>
  /** Sends each session a message and waits until its turn has ended. */
  readonly turns: (sessions: ReadonlyArray<Session>, text: string) => Promise<void>
  /** Sends the messages without readers; the streams stay open for a while. */
  readonly turnsUnread: (sessions: ReadonlyArray<Session>, text: string) => Promise<void>
}

export const start = async (
  folder: string,
  { streams, ...options }: Omit<GatewayOptions, "directory" | "tokens"> & { readonly streams: number }
): Promise<Gateway> => {
  const home = join(folder, "home")
  mkdirSync(home, { recursive: true })
  const tokens = Math.ceil(streams / streamsPerToken) + 1
  const child = await Child.start<GatewayReady>("gatewayServer", home, {
    ...options,
    directory: join(folder, "data"),
    tokens
  } satisfies GatewayOptions)
  const { ready } = child
  const token = (index: number): string => ready.tokens[Math.floor(index / streamsPerToken) % tokens]
  const api = `${ready.url}/api/v1/sessions`

  const create = (count: number) =>
    Requests.many(Array.from({ length: count }), concurrency, async (_, index) => {
      const { body } = await Requests.json<Session>(api, 201, { token: token(index), body: {} })
      writeFileSync(join(ready.workspaces, body.workspaceId, GatewayModel.file), fileText)
      return body
    })

  const send: Gateway["send"] = async (sessions, text) => {
    await Requests.many(sessions, concurrency, ({ id }, index) =>
      Requests.json(`${api}/${id}/messages`, 202, { token: token(index), body: { text } })
    )
  }

  const openStreams: Gateway["streams"] = (sessions, use) =>
    Requests.many(sessions, concurrency, ({ id }, index) =>
      Requests.stream(`${api}/${id}/events?after=latest`, token(index), (data, receivedMillis) =>
        use(index, data, receivedMillis)
      )
    )

  const turns: Gateway["turns"] = async (sessions, text) => {
    let remaining = sessions.length
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const open = await openStreams(sessions, (_, data) => {
      if (isTurnEnd(data) && --remaining === 0) end()
    })
    await send(sessions, text)
    await ended
    for (const { close } of open) close()
  }

  const turnsUnread: Gateway["turnsUnread"] = async (sessions, text) => {
    await send(sessions, text)
    const isDone = async (): Promise<boolean> => {
      const ofAll = await Promise.all(
        sessions.map(({ id }) => Requests.json<SessionView>(`${api}/${id}`, 200, { token: token(0) }))
      )
      return ofAll.every(({ body }) => body.state !== "Active" && body.entries > 1)
    }
    while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  return { child, token, create, send, streams: openStreams, turns, turnsUnread }
}

const fileText = Array.from({ length: 50 }, (_, index) => `${GatewayModel.lineOf(index + 1)}\n`).join("")

/** Returns true if the turn has ended; an unexpected end stops the benchmark. */
export const isTurnEnd = (data: string): boolean => {
  if (!data.startsWith('{"_tag":"TurnEnded"')) return false
  check(data.includes('"status":"completed"'), `a turn ended otherwise: ${data}`)
  return true
}
