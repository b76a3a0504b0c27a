import { connect, type EventsOptions, type Frame, GatewayError } from "@bough/client"
import { assert, describe, it } from "@effect/vitest"
import type { ServerResponse } from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { type ReceivedRequest, json, type Respond, withServer } from "./Loopback.ts"

const place = { treeId: "t", sessionId: "t", path: ["t"], turn: 1, step: 1 }

/** Only its id is read. */
const entry = (commit: number, index: number): Frame =>
  ({ _tag: "Entry", ...place, id: `${commit}.${index}`, sequence: commit, entry: {} }) as unknown as Frame

const ended = { _tag: "Resume", after: null, reason: "deleted", retryAfterMillis: 0 } as const
const resume = (after: string | null) => ({ _tag: "Resume", after, reason: "draining", retryAfterMillis: 0 }) as const
const delta = (text: string) => ({ _tag: "Delta", ...place, part: "text", text, whole: false }) as const

const block = (frame: Frame): string =>
  `${frame._tag === "Entry" ? `id: ${frame.id}\n` : ""}data: ${JSON.stringify(frame)}\n\n`

const stream = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write(text)
}

const read = async (respond: Respond, options?: EventsOptions) =>
  withServer(respond, async (baseUrl, request) => {
    const frames: Array<Frame> = []
    for await (const frame of connect({ baseUrl }).events("t", options)) frames.push(frame)
    return { asked: request, frames }
  })

const idsOf = (frames: ReadonlyArray<Frame>) => frames.flatMap((frame) => (frame._tag === "Entry" ? [frame.id] : []))
const after = ({ url }: ReceivedRequest) => url.searchParams.get("after")

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void
/** The time after which the requests that led to the connection are garbage. */
const onceOpen = (state: string): void => (state === "open" ? collectGarbage() : undefined)

describe("events", () => {
  const all = Array.from({ length: 30 }, (_, index) => entry(Math.floor(index / 3), index % 3))
  const blocks = all.map(block)

  /** The events after an id. */
  const from = (id: string | null) => (id === null ? 0 : idsOf(all).indexOf(id) + 1)

  it("come once and in order, wherever connections break, in the middle of a frame too", async () => {
    const { asked, frames } = await read((asked, response, index) => {
      const rest = blocks.slice(from(after(asked)))
      if (index > 3) return stream(response, rest.join("") + block(ended))
      const text = rest.join("")
      // A partial frame is left at the end.
      stream(response, text.slice(0, Math.floor(text.length / 3)))
      response.once("drain", () => response.destroy())
      setImmediate(() => response.destroy())
    })
    assert.deepStrictEqual(idsOf(frames), idsOf(all))
    assert.isAbove(asked.length, 3)
  })

  it("drop duplicates of the server", async () => {
    const { frames } = await read((_, response) => {
      stream(response, [...blocks.slice(0, 12), ...blocks.slice(6)].join("") + block(ended))
    })
    assert.deepStrictEqual(idsOf(frames), idsOf(all))
  })

  it("continue after the id that a server names when it ends a stream", async () => {
    const { asked, frames } = await read((_, response, index) => {
      if (index === 0) return void (stream(response, block(delta("a")) + block(resume("7.1"))), response.end())
      stream(response, block(entry(7, 1)) + block(entry(7, 2)) + block(ended))
    })
    assert.deepStrictEqual(asked.map(after), [null, "7.1"])
    assert.deepStrictEqual(
      frames.map(({ _tag }) => _tag),
      ["Delta", "Entry"]
    )
  })

  it("start at the reader's position", async () => {
    const { asked } = await read((_, response) => stream(response, block(ended)), { after: "latest" })
    assert.deepStrictEqual(asked.map(after), ["latest"])
  })

  it("decode characters that are split between chunks", async () => {
    const { frames } = await read((_, response) => {
      const bytes = Buffer.from(block(delta("naïve 🌿")) + block(ended))
      const cut = bytes.indexOf(0xf0) + 2
      stream(response, "")
      response.write(bytes.subarray(0, cut), () => setImmediate(() => response.write(bytes.subarray(cut))))
    })
    assert.deepStrictEqual(
      frames.flatMap((frame) => (frame._tag === "Delta" ? [frame.text] : [])),
      ["naïve 🌿"]
    )
  })

  it("come again after a silence, which counts as a broken connection", async () => {
    // On a busy machine, the client may reconnect before it has read the first entry.
    const { asked } = await read(
      (request, response) => stream(response, after(request) === null ? block(entry(1, 0)) : block(ended)),
      { silenceMillis: 300, onState: onceOpen }
    )
    assert.deepStrictEqual(
      [asked[0], asked.at(-1)].map((one) => one && after(one)),
      [null, "1.0"]
    )
  })

  it("end with an error if a reconnect would not help", async () => {
    const error = await read((_, response) => json(response, 404, { title: "Not Found", code: "not_found" })).then(
      () => null,
      (cause: unknown) => cause
    )
    assert.instanceOf(error, GatewayError)
    assert.strictEqual(error.code, "not_found")
  })

  it("end without an error when the reader stops", async () => {
    const stop = new AbortController()
    const states: Array<string> = []
    await withServer(
      (_, response) => stream(response, block(entry(1, 0))),
      async (baseUrl) => {
        const onState = (state: string): void => {
          states.push(state)
          onceOpen(state)
        }
        const frames = connect({ baseUrl }).events("t", { signal: stop.signal, onState })
        for await (const frame of frames) if (frame._tag === "Entry") setImmediate(() => stop.abort())
      }
    )
    assert.deepStrictEqual(states, ["connecting", "open"])
  })
})
