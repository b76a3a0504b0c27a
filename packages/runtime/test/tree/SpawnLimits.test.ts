/** The limits on new sessions that do not depend on their budget, at every depth. */
import { Budget, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { Agent } from "../../src/index.ts"
import * as SpawnLimits from "../../src/tree/SpawnLimits.ts"

type Parent = Parameters<typeof SpawnLimits.check>[0]

/** Returns the refusal of a child for a session at that depth; "": it may start. */
const refusalOf = (kind: Session.Kind, depth: number, wanted: "Branch" | "Worker"): string => {
  const parent = {
    agent: { limits: { maxDepth: 2, maxLiveChildren: 4 } },
    journal: { state: { liveChildren: new Set() } },
    kind,
    path: Array.from({ length: depth + 1 }, (_, level) => Session.SessionId.make(`level ${level}`))
  } as unknown as Parent
  const checked = SpawnLimits.check(parent, wanted)
  return Result.isFailure(checked) ? checked.failure.message : ""
}

describe("a new session", () => {
  it("is refused to every Worker", () => {
    for (const wanted of ["Branch", "Worker"] as const) {
      assert.strictEqual(refusalOf("Worker", 1, wanted), "a Worker starts no sessions")
    }
  })

  it("is at most as deep as the limit, and a Branch leaves a level for a Worker", () => {
    assert.strictEqual(refusalOf("Main", 0, "Branch"), "")
    assert.strictEqual(refusalOf("Branch", 1, "Worker"), "")
    assert.strictEqual(refusalOf("Branch", 1, "Branch"), "Branches go 1 deep, and this session is at depth 1")
    assert.strictEqual(refusalOf("Branch", 2, "Worker"), "sessions go 2 deep, and this one is at depth 2")
  })

  it("has its share of the budget, and no more than the agent that it names", () => {
    const limit = { inputTokens: null, outputTokens: null, costUsd: 1, activeMillis: null, steps: null, spawns: null }
    const parent = {
      agent: { limits: { maxDepth: 2, maxLiveChildren: 4 } },
      journal: { state: { liveChildren: new Set() } },
      kind: "Main",
      path: [Session.SessionId.make("main")],
      budget: { balance: () => ({ limit, spent: Budget.nothing, reserved: Budget.nothing }) }
    } as unknown as Parameters<typeof SpawnLimits.reserve>[0]
    const costOf = (request: { readonly agent?: string }) => {
      const agent = { limits: { ...Agent.defaultLimits, maxCostUsd: 0.01 } }
      const reserved = SpawnLimits.reserve(parent, { agent, request: { kind: "Worker", share: 0.5, ...request } })
      return Result.getOrThrow(reserved).costUsd
    }
    assert.strictEqual(costOf({}), 0.5)
    assert.strictEqual(costOf({ agent: "cheap" }), 0.01)
  })
})
