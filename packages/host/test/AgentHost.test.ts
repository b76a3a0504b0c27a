/**
 * Hosts of several users in one process: each with its own folders, configuration, variables, secrets, packs and notes.
 */
import { DataPack } from "@bough/pack-data"
import { FilesPack } from "@bough/pack-files"
import { MemoryPack } from "@bough/pack-memory"
import type { Event } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind, Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as AgentHost from "../src/AgentHost.ts"
import * as SavedRules from "../src/rules/SavedRules.ts"
import * as KindTools from "../src/session/KindTools.ts"

interface Tenant {
  readonly user: string
  readonly home: string
  readonly workspace: string
  readonly host: AgentHost.AgentHost
}

const users = ["ada", "bob", "cyd"] as const

/** A word that only this user's side of the process has. */
const markOf = (user: string, what: string): string => `${what}-of-${user}`
const modelOf = (user: string): string => `openai-compatible/model-of-${user}`
const secretOf = (user: string): string => `k3y/${user}/0123456789`

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** A pack of the user's own app, with one tool that no other app has. */
const ownPack = (user: string) =>
  ToolPack.make(
    Tool.make(`greet_${user}`, {
      version: 1,
      description: markOf(user, "Greeting"),
      tier: "ReadOnly",
      replay: "Safe",
      capabilities: [],
      parameters: Schema.Struct({}),
      output: Schema.Struct({ text: Schema.String }),
      execute: () =>
        Effect.succeed(Tool.result({ output: { text: markOf(user, "greeted") }, display: markOf(user, "greeted") }))
    })
  )

const tenant = (root: string, user: (typeof users)[number]): Tenant => {
  const home = join(root, user)
  const workspace = join(home, "work")
  const config = {
    embedding: { model: "none" },
    secrets: [secretOf(user)],
    // Only the first user has not denied the file that all of them try to write.
    rules: user === "ada" ? {} : { deny: ["write_file path=out.txt"] },
    limits: { maxSteps: 20 + users.indexOf(user) }
  }
  write(join(home, ".config/bough/config.jsonc"), JSON.stringify(config))
  write(join(home, ".config/bough/AGENTS.md"), markOf(user, "instruction"))
  write(join(workspace, "note.txt"), [markOf(user, "file"), ...users.map(secretOf)].join("\n"))
  const reads = ToolPack.merge(FilesPack.readOnly, DataPack.readOnly, MemoryPack.readOnly)
  const host = AgentHost.make({
    name: `app-${user}`,
    environment: {
      variables: { LANG: markOf(user, "variable"), BOUGH_MODEL: modelOf(user) },
      platform: process.platform,
      home,
      currentDirectory: workspace,
      user
    },
    packs: {
      main: SessionKind.Main.tools(ToolPack.merge(FilesPack.all, DataPack.all, MemoryPack.all, ownPack(user))),
      worker: SessionKind.Worker.tools(reads)
    }
  })
  return { user, home, workspace, host }
}

const withTenants = <A, E>(use: (tenants: ReadonlyArray<Tenant>) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-hosts-"))),
    (root) => use(users.map((user) => tenant(root, user))),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

/** The model of a user's first session: it calls every tool that could reach another user's data. */
const firstScript = (user: string) => [
  Reply.toolCall("read_file", { path: "note.txt" }),
  Reply.toolCall("get_env", { name: "LANG" }),
  Reply.toolCall(`greet_${user}`),
  Reply.toolCall("write_file", { path: "out.txt", content: markOf(user, "written") }),
  Reply.toolCall("save_memory", { content: `The codeword of the vault is ${markOf(user, "codeword")}` }),
  Reply.toolCall("save_memory", { content: `Wants ${markOf(user, "preference")}`, kind: "preference" }),
  Reply.text(markOf(user, "answer"))
]

const secondScript = [Reply.toolCall("search_memory", { query: "codeword of the vault" }), Reply.text("done")]

const talk = Effect.fnUntraced(function* ({ host, user }: Tenant, steps: ReadonlyArray<Reply.Reply>, text: string) {
  const { model, script } = yield* ScriptedModel.make(steps)
  const events: Array<Event.Event> = []
  // Later sessions have a preference in the prompt only if no foreign text was read before it.
  const settings = yield* AgentHost.settings(host, { trust: true })
  const session = yield* AgentHost.open(host, {
    settings,
    model,
    channel: { name: user, ask: null, publish: (event) => Effect.sync(() => void events.push(event)) }
  })
  const { status } = yield* session.run({ text, media: [] })
  assert.strictEqual(status, "completed")
  yield* script.assertDone
  return { prompts: yield* script.prompts, events }
})

/** Two sessions of the user, one after the other, and the store's content afterwards. */
const converse = Effect.fnUntraced(function* (tenant: Tenant) {
  const { dataDirectory, port } = savedRules(tenant)
  mkdirSync(dataDirectory, { recursive: true })
  yield* port.save({ rule: `write_file path=${tenant.user}.txt`, scope: "user", principal: tenant.user, call: null })
  const first = yield* talk(tenant, firstScript(tenant.user), markOf(tenant.user, "request"))
  const second = yield* talk(tenant, secondScript, "And the codeword?")
  const store = yield* SessionStore.SessionStore
  return { first, second, sessions: yield* store.list({ workspaceRoot: null, limit: 100 }) }
})

const savedRules = ({ host, workspace }: Tenant) => {
  const dataDirectory = AgentHost.dataDirectory(host)
  const registry = KindTools.ruledTools(host.packs)
  return { dataDirectory, port: SavedRules.port({ dataDirectory, registry, workspaceRoot: workspace }) }
}

const marksOf = (user: string): ReadonlyArray<string> =>
  [
    "instruction",
    "file",
    "variable",
    "Greeting",
    "greeted",
    "written",
    "codeword",
    "preference",
    "answer",
    "request"
  ].map((what) => markOf(user, what))

describe("AgentHost", () => {
  it.effect("keeps concurrent hosts of one process apart", () =>
    withTenants((tenants) =>
      Effect.gen(function* () {
        const seen = yield* Effect.forEach(
          tenants,
          (one) =>
            Effect.scoped(converse(one)).pipe(
              Effect.provide(SessionStoreSql.layer({ directory: AgentHost.dataDirectory(one.host) }))
            ),
          { concurrency: "unbounded" }
        )
        for (const [index, tenant] of tenants.entries()) {
          const { user, workspace } = tenant
          const { first, second, sessions } = seen[index]
          const text = JSON.stringify([first, second])
          assert.deepStrictEqual(
            marksOf(user).filter((mark) => !text.includes(mark)),
            []
          )
          const others = users.filter((other) => other !== user)
          assert.deepStrictEqual(
            others.flatMap(marksOf).filter((mark) => text.includes(mark)),
            []
          )
          // Each session redacts only its own secret.
          assert.deepStrictEqual(
            users.filter((other) => text.includes(secretOf(other))),
            others
          )
          assert.strictEqual(sessions.length, 2)
          assert.strictEqual(savedRules(tenant).port.now().length, 1)
          assert.strictEqual(contentOf(join(workspace, "out.txt")), user === "ada" ? markOf(user, "written") : null)
        }
      })
    )
  )

  it.effect("reads the configuration of one host from its own environment", () =>
    withTenants((tenants) =>
      Effect.gen(function* () {
        const read = yield* Effect.forEach(tenants, ({ host }) => AgentHost.settings(host, { effort: "low" }), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          read.map(({ limits, model: { name: model }, workspace: { root: workspaceRoot } }) => [
            model,
            limits.maxSteps,
            workspaceRoot
          ]),
          tenants.map(({ user, workspace }, index) => [modelOf(user), 20 + index, workspace])
        )
        assert.deepStrictEqual(
          read.map(({ model: { effort } }) => effort),
          ["low", "low", "low"]
        )
      })
    )
  )

  it.effect("keeps the notes of users apart that share a store", () =>
    withTenants((tenants) =>
      Effect.scoped(Effect.forEach(tenants, converse, { concurrency: "unbounded" })).pipe(
        Effect.provide(SessionStoreSql.layer({ directory: join(tenants[0].home, "shared") })),
        Effect.map((seen) => {
          for (const [index, { user }] of tenants.entries()) {
            const { second } = seen[index]
            const [asked, found] = second.prompts.map((prompt) => JSON.stringify(prompt))
            const known = (text: string, what: string) => users.filter((other) => text.includes(markOf(other, what)))
            assert.deepStrictEqual([known(asked, "preference"), known(found, "codeword")], [[user], [user]])
          }
        })
      )
    )
  )
})

const contentOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null)
