/** A server of the official SDK that asks the model in a whole session, allowed by the operator's configuration alone. */
import { FilesPack } from "@bough/pack-files"
import type { Event } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as AgentHost from "../../src/AgentHost.ts"

const secret = "s3same-open-0123456789"
const sample = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../../mcp/test/servers/stdio.ts", import.meta.url))],
  env: { PATH: process.env["PATH"] ?? "" },
  sandbox: false,
  startSeconds: 240
}

/** One turn of a new session whose call asks the model. */
const talk = Effect.fnUntraced(function* (
  servers: { readonly operator: object; readonly project?: object },
  replies: ReadonlyArray<Reply.Reply>
) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-sampling-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const workspace = join(root, "work")
  mkdirSync(workspace)
  mkdirSync(join(root, "home/.config/bough"), { recursive: true })
  writeFileSync(
    join(root, "home/.config/bough/config.jsonc"),
    JSON.stringify({
      embedding: { model: "none" },
      memory: { recall: false },
      rules: { allow: ["sample__ask_model"] },
      secrets: [secret],
      mcpServers: servers.operator
    })
  )
  if (servers.project !== undefined) {
    writeFileSync(join(workspace, ".mcp.json"), JSON.stringify({ mcpServers: servers.project }))
  }
  const host = AgentHost.make({
    name: "bough",
    environment: {
      variables: { PATH: process.env["PATH"] },
      platform: process.platform,
      home: join(root, "home"),
      currentDirectory: workspace,
      user: "ada"
    },
    packs: { main: SessionKind.Main.tools(FilesPack.all), worker: SessionKind.Worker.tools(FilesPack.readOnly) }
  })
  const settings = yield* AgentHost.settings(host, { trust: true })
  const { model, script } = yield* ScriptedModel.make(replies)
  const events: Array<Event.Event> = []
  const entries = yield* Effect.gen(function* () {
    const session = yield* AgentHost.open(host, {
      model,
      settings,
      channel: {
        name: "test",
        ask: () => Effect.succeed({ decision: { _tag: "Approved", rule: null }, principal: "ada" }),
        publish: (event) => Effect.sync(() => void events.push(event))
      }
    })
    yield* session.run({ text: "go", media: [] })
    const store = yield* SessionStore.SessionStore
    return yield* store.entries(session.sessionId, 0, 1000)
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: AgentHost.dataDirectory(host) })))
  return { bodies: entries.map(({ body }) => body), events, prompts: yield* script.prompts }
})

const ask = Reply.toolCall("sample__ask_model", {
  params: {
    messages: [{ role: "user", content: { type: "text", text: "is it in here?" } }],
    systemPrompt: "Be brief",
    maxTokens: 900
  }
})

describe("sampling in a session", () => {
  it.live("is answered by the session's model, recorded, shown and counted", () =>
    Effect.gen(function* () {
      const answer = Reply.text(`no, ${secret}`, { inputTokens: 33, outputTokens: 3 })
      const { bodies, events, prompts } = yield* talk(
        { operator: { sample: { ...sample, sampling: { maxTokens: 64 } } } },
        [ask, answer, Reply.text("done")]
      )
      assert.deepInclude(prompts[1], { system: "Be brief", tools: [], maxOutputTokens: 64 })
      const started = bodies.find((body) => body._tag === "SamplingStarted")
      const ended = bodies.find((body) => body._tag === "SamplingEnded")
      assert.deepInclude(started, { requester: "MCP server sample", system: "Be brief" })
      assert.notInclude(JSON.stringify(bodies), secret)
      assert.deepInclude(ended, { text: "no, [redacted]", failure: null })
      assert.include(JSON.stringify(bodies.find((body) => body._tag === "CallEnded")), "endTurn")
      const shown = events.flatMap((event) => (event._tag === "Recorded" ? [event.entry.body._tag] : []))
      assert.includeMembers(shown, ["SamplingStarted", "SamplingEnded"])
    }).pipe(Effect.scoped)
  )

  it.live("is not allowed by a trusted project, unless the operator's entry of the same name adds it", () =>
    Effect.gen(function* () {
      const { env, sandbox, startSeconds, ...program } = sample
      const project = { sample: { ...program, sampling: true } }
      const own = { env, sandbox, startSeconds }
      const refused = yield* talk({ operator: { sample: own }, project }, [ask, Reply.text("done")])
      assert.notInclude(
        refused.bodies.map(({ _tag }) => _tag),
        "SamplingStarted"
      )
      assert.include(JSON.stringify(refused.bodies), "Method not found")
      const allowed = yield* talk({ operator: { sample: { ...own, sampling: true } }, project }, [
        ask,
        Reply.text("no"),
        Reply.text("done")
      ])
      assert.include(
        allowed.bodies.map(({ _tag }) => _tag),
        "SamplingEnded"
      )
    }).pipe(Effect.scoped)
  )
})
