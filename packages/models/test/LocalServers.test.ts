/** Tests of discovering model servers on this machine, over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as LocalServers from "../src/LocalServers.ts"
import * as ChatServer from "./ChatServer.ts"

const listing = (...ids: ReadonlyArray<string>) => ChatServer.status(200, { data: ids.map((id) => ({ id })) })
const portOf = ({ baseUrl }: ChatServer.Server): number => Number(new URL(baseUrl).port)
/** A port of this machine without a listener. */
const closed = 9

describe("LocalServers", () => {
  it.live("finds configured servers and those at a usual port, each once, and sends no key", () =>
    Effect.gen(function* () {
      const named = yield* ChatServer.start(listing("named"))
      const ollama = yield* ChatServer.start(listing("llama3.2", "qwen3:8b"))
      const usual = yield* ChatServer.start(listing("found"))
      const environment = {
        OPENAI_COMPATIBLE_BASE_URL: named.baseUrl.replace("127.0.0.1", "localhost"),
        OPENAI_COMPATIBLE_API_KEY: "s3cret",
        OPENAI_API_KEY: "s3cret",
        OLLAMA_HOST: `127.0.0.1:${portOf(ollama)}`,
        OLLAMA_API_KEY: "s3cret"
      }
      const ports = [portOf(usual), portOf(named), portOf(ollama), closed]
      const found = yield* LocalServers.findRunning(environment, ports, Duration.minutes(2))
      assert.deepStrictEqual(
        found.map(({ isConfigured, models, provider }) => ({ isConfigured, models, provider })),
        [
          { provider: "openai-compatible", isConfigured: true, models: ["named"] },
          { provider: "ollama", isConfigured: true, models: ["llama3.2", "qwen3:8b"] },
          { provider: "openai-compatible", isConfigured: false, models: ["found"] }
        ]
      )
      assert.strictEqual(found[2].baseUrl, `http://127.0.0.1:${portOf(usual)}/v1`)
      const received = [named, ollama, usual].flatMap((server) => server.received)
      assert.deepStrictEqual(
        received.map(({ path }) => path),
        ["/v1/models", "/v1/models", "/v1/models"]
      )
      assert.notInclude(JSON.stringify(received), "s3cret")
    }).pipe(Effect.scoped)
  )

  it.live("asks no other machine, and follows no redirect of a server", () =>
    Effect.gen(function* () {
      const elsewhere = yield* ChatServer.start(listing("elsewhere"))
      const sending = yield* ChatServer.start((response) => {
        response.writeHead(302, { location: `${elsewhere.baseUrl}/models` })
        response.end()
      })
      const environment = {
        OPENAI_COMPATIBLE_BASE_URL: "http://models.example/v1",
        OLLAMA_HOST: "http://10.0.0.1:11434"
      }
      assert.deepStrictEqual(yield* LocalServers.findRunning(environment, [portOf(sending)]), [])
      assert.strictEqual(sending.received.length, 1)
      assert.deepStrictEqual(elsewhere.received, [])
    }).pipe(Effect.scoped)
  )

  it.live("waits longer for a configured server than for one at a usual port", () =>
    Effect.gen(function* () {
      const silent = yield* ChatServer.start(() => {})
      const { promise: isGivenUp, resolve } = Promise.withResolvers<void>()
      const slow = yield* ChatServer.start((response, request) => {
        void isGivenUp.then(() => listing("slow")(response, request, 0))
      })
      yield* silent.hangClosed.pipe(Effect.andThen(Effect.sync(resolve)), Effect.forkScoped)
      const environment = { OPENAI_COMPATIBLE_BASE_URL: slow.baseUrl, OLLAMA_HOST: `127.0.0.1:${closed}` }
      const found = yield* LocalServers.findRunning(environment, [portOf(silent)])
      assert.deepStrictEqual(
        found.map(({ models }) => models),
        [["slow"]]
      )
    }).pipe(Effect.scoped)
  )

  it.live("ignores a server that is silent, answers something else, or never stops", () =>
    Effect.gen(function* () {
      const silent = yield* ChatServer.start(() => {})
      const page = yield* ChatServer.start(ChatServer.status(200, "<!doctype html>"))
      const empty = yield* ChatServer.start(listing())
      const endless = yield* ChatServer.start((response) => {
        response.writeHead(200)
        const more = () => void (response.destroyed || response.write("[".repeat(65_536), () => setImmediate(more)))
        more()
      })
      const good = yield* ChatServer.start(listing("good"))
      const ports = [silent, page, empty, endless].map(portOf)
      const environment = { OPENAI_COMPATIBLE_BASE_URL: good.baseUrl, OLLAMA_HOST: `127.0.0.1:${closed}` }
      const found = yield* LocalServers.findRunning(environment, ports)
      assert.deepStrictEqual(
        found.map(({ models }) => models),
        [["good"]]
      )
      yield* silent.hangClosed
      yield* endless.hangClosed
    }).pipe(Effect.scoped)
  )

  it("recognises an address of this machine", () => {
    for (const address of [
      "http://localhost:1/v1",
      "http://127.0.0.1/v1",
      "http://127.8.9.1:1",
      "https://[::1]:8080/"
    ]) {
      assert.isTrue(LocalServers.isLoopback(address), address)
    }
    for (const address of ["http://localhost.example", "http://10.0.0.1", "http://0.0.0.0:1", "nothing", ""]) {
      assert.isFalse(LocalServers.isLoopback(address), address)
    }
  })
})
