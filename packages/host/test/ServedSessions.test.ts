/** The runtime's Host serves sessions of several users in one process, each with its user's agent, model and notes. */
import { DataPack } from "@bough/pack-data"
import { MemoryPack } from "@bough/pack-memory"
import { Host, Model } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AgentHost from "../src/AgentHost.ts"

const users = ["ada", "bob"] as const

const hostOf = (root: string, user: string): AgentHost.AgentHost => {
  const home = join(root, user)
  mkdirSync(join(home, "work"), { recursive: true })
  return AgentHost.make({
    name: "server",
    environment: { variables: {}, platform: process.platform, home, currentDirectory: "/", user },
    packs: {
      main: SessionKind.Main.tools(MemoryPack.all),
      worker: SessionKind.Worker.tools(MemoryPack.readOnly)
    }
  })
}

const preferenceOf = (user: string): string => `Wants the colour of ${user}`

/** Two sessions per user, and the requests to their models in the second. */
const serve = (root: string) =>
  Effect.gen(function* () {
    const hosts = new Map(users.map((user) => [user as string, hostOf(root, user)]))
    const scripts = new Map<string, ScriptedModel.ModelWithScript>()
    for (const user of users) {
      const save = Reply.toolCall("save_memory", { content: preferenceOf(user), kind: "preference" })
      scripts.set(user, yield* ScriptedModel.make([save, Reply.text("saved"), Reply.text("hello again")]))
    }
    const unused = yield* ScriptedModel.make([])
    const served = yield* Host.make({
      channel: { name: "web" },
      serve: yield* AgentHost.serve(({ user }) => {
        const host = hosts.get(user ?? "")
        const script = scripts.get(user ?? "")
        return host === undefined || script === undefined ? null : { host, model: script.model }
      })
    }).pipe(Effect.provideService(Model.Model, unused.model))
    const say = (user: string, text: string) =>
      Effect.flatMap(
        served.create({ name: "server", user, workspaceRoot: join(root, user, "work") }),
        ({ sessionId }) => served.run(sessionId, { text, media: [] })
      )
    yield* Effect.forEach(users, (user) => say(user, "Remember my colour"), { concurrency: "unbounded" })
    yield* Effect.forEach(users, (user) => say(user, "Hello"), { concurrency: "unbounded" })
    yield* unused.script.assertDone
    return yield* Effect.forEach(users, (user) => scripts.get(user)!.script.prompts)
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: join(root, "data") })))

/** The answer to a call of a tool that the session does not have. */
const noTool = /no tool|unknown tool|not a tool/iu

/**
 * The prompts of a session of the agent that the configuration defines, and of a session of an agent that the app
 * defines.
 */
const serveAgents = (root: string) =>
  Effect.gen(function* () {
    const host = hostOf(root, "ada")
    const agents = join(root, "ada", ".config", "bough", "agents")
    mkdirSync(agents, { recursive: true })
    const front = "name: keeper\ndescription: Reads alone\ntools: [search_memory]"
    writeFileSync(join(agents, "keeper.md"), `---\n${front}\n---\nAnswer in one word.\n`)
    const save = Reply.toolCall("save_memory", { content: "Likes tea", kind: "preference" })
    const script = yield* ScriptedModel.make([save, Reply.text("no"), save, Reply.text("saved")])
    const served = yield* Host.make({
      channel: { name: "web" },
      serve: yield* AgentHost.serve(() => ({ host, model: script.model }))
    }).pipe(Effect.provideService(Model.Model, script.model))
    for (const name of ["keeper", "server"]) {
      const workspaceRoot = join(root, "ada", "work")
      const { sessionId } = yield* served.create({ name, user: "ada", workspaceRoot })
      yield* served.run(sessionId, { text: "Remember tea", media: [] })
    }
    return (yield* script.script.prompts).map((prompt) => JSON.stringify(prompt))
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: join(root, "data") })))

/** The prompts of a session that set a variable, after other sessions of the host have become dormant. */
const serveVariables = (root: string) =>
  Effect.gen(function* () {
    const script = yield* ScriptedModel.make([
      Reply.toolCall("set_env", { name: "COLOUR", value: "blue" }),
      Reply.text("set"),
      Reply.text("hello"),
      Reply.toolCall("get_env", { name: "COLOUR" }),
      Reply.text("read")
    ])
    const host = AgentHost.make({
      name: "server",
      environment: { variables: {}, platform: process.platform, home: root, currentDirectory: "/", user: "ada" },
      packs: { main: SessionKind.Main.tools(DataPack.all), worker: SessionKind.Worker.tools(DataPack.readOnly) }
    })
    const serving = yield* AgentHost.serve(() => ({ host, model: script.model }))
    const closed = new Set<string>()
    const served = yield* Host.make({
      channel: { name: "web" },
      maxIdleOpen: 0,
      restMillis: 0,
      serve: (session) =>
        Effect.andThen(
          Effect.addFinalizer(() => Effect.sync(() => closed.add(session.sessionId))),
          serving(session)
        )
    }).pipe(Effect.provideService(Model.Model, script.model))
    const create = served.create({ name: "server", user: "ada", workspaceRoot: root })
    const [setting, other] = [yield* create, yield* create]
    yield* served.run(setting.sessionId, { text: "Set the colour", media: [] })
    yield* served.run(other.sessionId, { text: "Hello", media: [] })
    while (!closed.has(other.sessionId)) yield* Effect.sleep(5)
    yield* served.run(setting.sessionId, { text: "Which colour?", media: [] })
    return (yield* script.script.prompts).map((prompt) => JSON.stringify(prompt))
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: join(root, "data") })))

/** The names of the agents of a session and of children of it that are stored with these names; null: there is none. */
const serveChildren = (root: string, stored: ReadonlyArray<string | null>) =>
  Effect.gen(function* () {
    const script = yield* ScriptedModel.make([Reply.text("hello")])
    const serving = yield* AgentHost.serve(() => ({
      host: hostOf(root, "ada"),
      model: script.model,
      knownAgents: new Set(["reviewer"])
    }))
    const names: Array<string | null> = []
    const served = yield* Host.make({
      channel: { name: "web" },
      serve: (session) =>
        Effect.tap(serving(session), (opened) =>
          Effect.gen(function* () {
            if (opened?.childAgent === undefined) return
            names.push(opened.agent.name)
            for (const name of stored) {
              const child = yield* Effect.result(opened.childAgent("Branch", opened.agent, name))
              names.push(Result.isSuccess(child) ? child.success.name : null)
            }
          })
        )
    }).pipe(Effect.provideService(Model.Model, script.model))
    const { sessionId } = yield* served.create({ name: "reviewer", user: "ada", workspaceRoot: root })
    yield* served.run(sessionId, { text: "Hello", media: [] })
    return names
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: join(root, "data") })))

describe("AgentHost.serve", () => {
  it.live(
    "gives a session the name of its agent, and children that have the program's name or none that of their parent",
    () =>
      Effect.acquireUseRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-served-"))),
        (root) =>
          Effect.map(serveChildren(root, [null, "server", "nobody"]), (names) => {
            assert.deepStrictEqual(names, ["reviewer", "reviewer", "reviewer", null])
          }),
        (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
      )
  )

  it.live("keeps the variables of a session while sessions without variables become dormant", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-served-"))),
      (root) =>
        Effect.map(serveVariables(root), (prompts) => {
          assert.include(prompts.at(-1)?.split("Which colour?")[1], "blue")
        }),
      (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    )
  )

  it.live("commits the notes of a turn that the runtime's host ran, for their user alone", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-served-"))),
      (root) =>
        Effect.map(serve(root), (prompts) => {
          for (const [index, user] of users.entries()) {
            const last = JSON.stringify(prompts[index].at(-1))
            assert.deepStrictEqual(
              users.filter((other) => last.includes(preferenceOf(other))),
              [user]
            )
          }
        }),
      (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    )
  )

  it.live("narrows a session to the configured agent of its name, and to no other", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-served-"))),
      (root) =>
        Effect.map(serveAgents(root), ([first, refused, other, done]) => {
          assert.include(first, "Answer in one word.")
          assert.match(refused, noTool)
          assert.notInclude(other, "Answer in one word.")
          assert.notMatch(done, noTool)
        }),
      (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    )
  )
})
