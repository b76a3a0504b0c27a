/** The limits on a server's effect on its clients. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { someOf, thorough, thoroughOnly } from "../../../test/thorough.ts"
import * as World from "./World.ts"

const mebibyte = 1024 ** 2

describe("a request ends", () => {
  it.live("when a body is larger than the limit, whatever its length header says", () =>
    Effect.gen(function* () {
      const { at, read } = yield* World.open({
        listener: (_, response) => {
          const more = () => {
            while (response.write("x".repeat(65_536)) && !response.destroyed);
          }
          response.on("drain", more).on("error", () => {})
          more()
        }
      })
      assert.match(yield* World.refusal(read.get(at("/"))), /^ExecutionError TooLarge: .* 5242880 bytes/)
      const few = read.get(at("/"), { maxBytes: 1000 })
      assert.match(yield* World.refusal(few), /^ExecutionError TooLarge: .* 1000 bytes/)
    })
  )

  const codings = [
    ["gzip", gzipSync],
    ["br", brotliCompressSync]
  ] as const

  for (const [coding, pack] of someOf(codings, 1)) {
    it.live(
      `when a small ${coding} body decompresses without limit`,
      () =>
        Effect.gen(function* () {
          const bomb = pack(Buffer.alloc(64 * mebibyte))
          assert.isBelow(bomb.length, 100_000)
          const { at, read } = yield* World.open({
            limits: { maxRatio: 20 },
            listener: (_, response) => response.setHeader("content-encoding", coding).end(bomb)
          })
          assert.match(yield* World.refusal(read.get(at("/bomb"))), /^ExecutionError CompressionBomb: /)
        }),
      thorough
    )
  }

  it.live(
    "when a body with an ordinary compression ratio exceeds the limit",
    () =>
      Effect.gen(function* () {
        const noise = Buffer.from(Array.from({ length: 3 * mebibyte }, (_, at) => (at * 7919) % 251))
        const { at, read } = yield* World.open({
          limits: { maxBytes: mebibyte, maxRatio: 1e9 },
          listener: (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(noise))
        })
        assert.match(yield* World.refusal(read.get(at("/"))), /^ExecutionError TooLarge: /)
      }),
    thoroughOnly
  )

  it.live("when a body comes too slowly", () =>
    Effect.gen(function* () {
      const { at, read } = yield* World.open({
        limits: { slowMillis: 200 },
        listener: (_, response) => {
          const drip = setInterval(() => response.write("x"), 20)
          response.on("close", () => clearInterval(drip))
        }
      })
      assert.match(yield* World.refusal(read.get(at("/drip"))), /^ExecutionError TooSlow: /)
    })
  )

  it.live("when a body never ends, at any speed", () =>
    Effect.gen(function* () {
      const { at, read } = yield* World.open({
        limits: { slowMillis: 60_000, slowBytes: 1, totalMillis: 400 },
        listener: (_, response) => {
          const drip = setInterval(() => response.write("some bytes"), 10)
          response.on("close", () => clearInterval(drip))
        }
      })
      assert.match(yield* World.refusal(read.get(at("/"))), /^Timeout /)
    })
  )

  it.live("when no answer comes", () =>
    Effect.gen(function* () {
      const { at, read } = yield* World.open({
        limits: { answerMillis: 100, totalMillis: 600_000 },
        listener: () => {}
      })
      assert.match(yield* World.refusal(read.get(at("/"))), /^Timeout /)
    })
  )

  it.live("when the body breaks off or is not an archive", () =>
    Effect.gen(function* () {
      const { at, read } = yield* World.open({
        listener: (request, response) => {
          if (request.url === "/short") {
            response.writeHead(200, { "content-length": "100" }).write("only this")
            setTimeout(() => response.destroy(), 20)
          } else if (request.url === "/odd") response.setHeader("content-encoding", "rot13").end("x")
          else response.setHeader("content-encoding", "gzip").end("not packed at all")
        }
      })
      assert.match(yield* World.refusal(read.get(at("/short"))), /^ExecutionError ConnectionFailed: /)
      assert.match(yield* World.refusal(read.get(at("/odd"))), /^ExecutionError Encoding: /)
      assert.match(yield* World.refusal(read.get(at("/not"))), /^ExecutionError Encoding: /)
    })
  )

  it.live("when it is interrupted, and its connection with it", () =>
    Effect.gen(function* () {
      const [come, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const { at, read } = yield* World.open({
        listener: (request) => {
          request.socket.on("close", () => gone.resolve())
          come.resolve()
        }
      })
      yield* Effect.raceFirst(
        read.get(at("/")),
        Effect.promise(() => come.promise)
      )
      yield* Effect.promise(() => gone.promise)
    })
  )
})
