import { Budget, Session } from "@bough/protocol"
import { Capability, Invocation, Progress, type Spawn, ToolSchema } from "@bough/tool"
import * as SampleInvocation from "@bough/tool/testing/SampleInvocation"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SessionPack, SpawnBranch, SpawnWorker, WaitForSessions } from "../src/index.ts"

const child: Spawn.Child = {
  sessionId: Session.SessionId.make("ses_1"),
  kind: "Branch",
  state: "Active",
  title: "look",
  approvals: [],
  spent: Budget.nothing,
  result: null
}

/** Records its requests. */
const spawning = () => {
  const spawnRequests: Array<Spawn.SpawnRequest> = []
  const waited: Array<Spawn.WaitRequest> = []
  const service: Spawn.Spawn["Service"] = {
    spawn: (request) => Effect.sync(() => (spawnRequests.push(request), child)),
    wait: (request) => Effect.sync(() => (waited.push(request), [child])),
    list: () => Effect.succeed([child]),
    steer: () => Effect.succeed(child),
    cancel: () => Effect.succeed(child)
  }
  return { asked: spawnRequests, waited, service }
}

const provided = <A, E>(
  effect: Effect.Effect<A, E, Capability.Spawn | Invocation.Invocation | Progress.Progress>,
  service: Spawn.Spawn["Service"]
) =>
  effect.pipe(
    Effect.provideService(Capability.Spawn, service),
    Effect.provideService(Progress.Progress, { report: () => Effect.void }),
    Effect.provideService(Invocation.Invocation, SampleInvocation.make())
  )

describe("SessionPack", () => {
  it("needs a capability that no Worker has, and delegate reads the files that were sent", () => {
    for (const tool of Object.values(SessionPack.all.tools)) {
      const sends = tool.name === "send_message"
      const other = sends ? Capability.Channel : Capability.Spawn
      const needed = tool.name === "run_chain" ? Capability.Chain : other
      const reads = tool.name === "delegate" ? [Capability.WorkspaceRead] : []
      assert.deepStrictEqual(tool.capabilities, [needed, ...reads], tool.name)
      assert.strictEqual(tool.tier, sends ? "System" : "Workspace", tool.name)
      assert.notInclude(JSON.stringify(ToolSchema.parameters(tool)), "$ref", tool.name)
    }
  })

  it.effect("fills in the kind's own limits of a brief if none are given", () =>
    Effect.gen(function* () {
      const { asked, service } = spawning()
      const parameters = Schema.decodeUnknownSync(SpawnBranch.parameters)({ task: "look" })
      yield* provided(Effect.scoped(SpawnBranch.execute(parameters)), service)
      assert.deepStrictEqual(asked, [
        {
          kind: "Branch",
          task: "look",
          start: "Brief",
          outputSchema: null,
          lifetimeMillis: null,
          maxSteps: null,
          share: null
        }
      ])
    })
  )

  it.effect("passes limits and schema on", () =>
    Effect.gen(function* () {
      const { asked, service } = spawning()
      const outputSchema = { type: "object", properties: { count: { type: "number" } } }
      const parameters = Schema.decodeUnknownSync(SpawnWorker.parameters)({
        task: "count",
        outputSchema,
        minutes: 1.5,
        maxSteps: 3,
        share: 0.5
      })
      yield* provided(Effect.scoped(SpawnWorker.execute(parameters)), service)
      assert.deepStrictEqual(asked, [
        { kind: "Worker", task: "count", start: "Brief", outputSchema, lifetimeMillis: 90_000, maxSteps: 3, share: 0.5 }
      ])
    })
  )

  it("refuses limits that leave no room for work", () => {
    const decode = Schema.decodeUnknownExit(SpawnWorker.parameters)
    for (const wrong of [{ minutes: 0 }, { maxSteps: 0 }, { share: 0 }, { share: 1.1 }, { task: "" }]) {
      assert.strictEqual(decode({ task: "x", ...wrong })._tag, "Failure", JSON.stringify(wrong))
    }
  })

  it.effect("waits for all running ones by default, and reports the state of each", () =>
    Effect.gen(function* () {
      const { service, waited } = spawning()
      const parameters = Schema.decodeUnknownSync(WaitForSessions.parameters)({})
      const { output } = yield* provided(Effect.scoped(WaitForSessions.execute(parameters)), service)
      assert.deepStrictEqual(waited, [{ sessionIds: null, until: "all", timeoutMillis: null }])
      assert.deepStrictEqual(output.sessions, [
        { session: "ses_1", kind: "Branch", state: "Active", title: "look", waitsFor: [], steps: 0 }
      ])
    })
  )
})
