/** A process opens a session of 10,000 entries and uses little more memory than the prompt needs. */
import { type Batch, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../../test/thorough.ts"

const steps = 3333
const outputBytes = 1000
const sessionId = Session.SessionId.make("ses_long")
const program = fileURLToPath(new URL("longSession.ts", import.meta.url))

const stepBodies = (step: number): ReadonlyArray<Batch.Append["body"]> => {
  const toolCallId = Session.ToolCallId.make(`t1s${step}c0`)
  return [
    { _tag: "StepStarted", turn: 1, step, model: "test/long", reservedTokens: 1 },
    {
      _tag: "ModelReplied",
      turn: 1,
      step,
      completion: "complete",
      parts: [{ _tag: "ToolCall", toolCallId, providerCallId: `p${step}`, name: "read_file", arguments: "{}" }],
      usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
    },
    {
      _tag: "CallEnded",
      toolCallId,
      tool: "read_file",
      outcome: {
        _tag: "Succeeded",
        output: String(step).padEnd(outputBytes, "x"),
        outputBlob: null,
        media: [],
        display: ""
      },
      receipt: null
    }
  ]
}

const fill = (home: string, workspace: string) =>
  Effect.gen(function* () {
    const store = yield* SessionStore.SessionStore
    const lease = yield* store.acquire(sessionId)
    let seq = 0
    const commit = (bodies: ReadonlyArray<Batch.Append["body"]>) =>
      store.commit({
        treeId: sessionId,
        epoch: lease.epoch,
        durability: "Relaxed",
        entries: bodies.map((body) => ({ sessionId, expectedSeq: seq++, labels: [], body })),
        projections: []
      })
    const origin = { _tag: "Main", forkedFrom: null } as const
    yield* commit([
      {
        _tag: "SessionOpened",
        v: 1,
        kind: "Main",
        origin,
        agent: "bough",
        user: null,
        workspaceRoot: workspace,
        channel: "test",
        openedAtMillis: 0
      },
      { _tag: "UserMessage", text: "go", media: [], principal: "ada", messageId: "m" }
    ])
    for (let step = 1; step <= steps; step++) yield* commit(stepBodies(step))
    yield* store.release(lease)
  }).pipe(Effect.provide(SessionStoreSql.layer({ directory: home })))

describe("A session of 10,000 entries", () => {
  it("opens and continues in memory that is proportional to its prompt", thoroughOnly, async () => {
    const root = mkdtempSync(join(tmpdir(), "bough-long-"))
    try {
      const workspace = join(root, "workspace")
      mkdirSync(workspace)
      const home = join(root, "home")
      await Effect.runPromise(fill(home, workspace))
      const place = JSON.stringify({ home, workspace, backend: "host" })
      const text = execFileSync(process.execPath, ["--expose-gc", program, place], { encoding: "utf8" })
      const parsed = JSON.parse(text) as { readonly entries: number; readonly heldBytes: number }
      assert.isTrue(parsed.entries > 10_000, `${parsed.entries} entries`)
      const promptBytes = steps * outputBytes
      assert.isAbove(parsed.heldBytes, promptBytes / 2, "the session is open when it is measured")
      assert.isBelow(parsed.heldBytes, 4 * promptBytes, `held for a prompt of ${promptBytes} bytes`)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
