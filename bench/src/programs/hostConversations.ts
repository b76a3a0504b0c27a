/**
 * The work of the gateway's conversations without the gateway: the same sessions on the same host and store, driven in
 * this process. It answers `turns` with the steps per second of one turn in each.
 */
import { Packs } from "@bough/gateway"
import { AgentHost } from "@bough/host"
import { OfflinePlanner } from "@bough/offline-planner"
import { Host, Model } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { check } from "../Check.ts"
import * as GatewayModel from "../gateway/GatewayModel.ts"
import * as Questions from "../gateway/Questions.ts"

export interface HostOptions {
  readonly directory: string
  readonly sessions: number
  readonly steps: number
}

const { directory, sessions, steps } = JSON.parse(process.argv[2]) as HostOptions
const user = "bench/ada"
const home = join(directory, "home")
const fileText = Array.from({ length: 50 }, (_, index) => `${GatewayModel.lineOf(index + 1)}\n`).join("")

const program = Effect.gen(function* () {
  const environment = {
    variables: { PATH: process.env["PATH"], BOUGH_HOME: join(home, "data"), XDG_CONFIG_HOME: join(home, "config") },
    platform: process.platform,
    home,
    currentDirectory: home,
    user
  }
  mkdirSync(home, { recursive: true })
  const agents = AgentHost.make({ name: "bench", environment, packs: Packs })
  const host = yield* Host.make({
    serve: yield* AgentHost.serve(() => ({ host: agents, confined: true, model: GatewayModel.model })),
    channel: { name: "bench", readers: "owner" },
    maxLoaded: sessions + 10,
    maxIdleOpen: 64
  })
  const open = Effect.fnUntraced(function* (index: number) {
    const workspaceRoot = join(directory, "workspaces", String(index))
    mkdirSync(workspaceRoot, { recursive: true })
    writeFileSync(join(workspaceRoot, GatewayModel.file), fileText)
    return (yield* host.create({ name: "bough", user, workspaceRoot })).sessionId
  })
  const all = yield* Effect.forEach(Array.from({ length: sessions }), (_, index) => open(index))
  const turns = (text: string) =>
    Effect.forEach(
      all,
      (sessionId) =>
        Effect.map(host.run(sessionId, { text, media: [] }, { principal: user }), ({ status }) =>
          check(status === "completed", `a turn ended ${status}`)
        ),
      { concurrency: "unbounded", discard: true }
    )
  yield* turns("Hello")
  const timed = Effect.gen(function* () {
    const startedAtMillis = performance.now()
    yield* turns(GatewayModel.steps(steps))
    return (sessions * steps * 1000) / (performance.now() - startedAtMillis)
  })
  Questions.serve({}, { turns: () => Effect.runPromise(Effect.orDie(timed)) })
  return yield* Effect.never
})

process.once("SIGTERM", () => process.exit(0))
await program.pipe(
  Effect.scoped,
  Effect.provide(
    Layer.merge(
      SessionStoreSql.layer({ directory: join(directory, "sessions") }),
      Layer.succeed(Model.Model, OfflinePlanner.model)
    )
  ),
  Effect.orDie,
  Effect.runPromise
)
