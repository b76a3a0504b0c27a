/**
 * Servers of the configuration and of the project in whole sessions: sandboxed, subject to approval, remembered,
 * labelled.
 */
import { FilesPack } from "@bough/pack-files"
import type { Approval, Entry } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as AgentHost from "../../src/AgentHost.ts"
import { offeredRule } from "../../src/approval/OfferedRule.ts"

const bubblewrap = requires("bubblewrap")
const secret = "s3same-open-0123456789"

interface Place {
  readonly root: string
  readonly workspace: string
  readonly config: (servers: unknown, more?: object) => void
}

const place = Effect.acquireRelease(
  Effect.sync((): Place => {
    const root = mkdtempSync(join(tmpdir(), "bough-mcp-host-"))
    const workspace = join(root, "work")
    mkdirSync(workspace)
    mkdirSync(join(root, "home/.config/bough"), { recursive: true })
    copyFileSync(fileURLToPath(new URL("probe.mjs", import.meta.url)), join(workspace, "probe.mjs"))
    const config = (mcpServers: unknown, more: object = {}) =>
      writeFileSync(
        join(root, "home/.config/bough/config.jsonc"),
        JSON.stringify({ embedding: { model: "none" }, memory: { recall: false }, mcpServers, ...more })
      )
    return { root, workspace, config }
  }),
  ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

interface Talk {
  readonly answer?: Approval.Decision
  readonly trust?: boolean
}

const yes: Approval.Decision = { _tag: "Approved", rule: null }

/** One turn of a new session: the approvals, the results of calls, the model's input. */
const talk = Effect.fnUntraced(function* (
  { root, workspace }: Place,
  replies: ReadonlyArray<Reply.Reply>,
  { answer = yes, trust = false }: Talk = {}
) {
  const host = AgentHost.make({
    name: "bough",
    environment: {
      variables: { PATH: process.env["PATH"], PROBE_TOKEN: secret, OPERATORS_OWN: "mine" },
      platform: process.platform,
      home: join(root, "home"),
      currentDirectory: workspace,
      user: "ada"
    },
    packs: { main: SessionKind.Main.tools(FilesPack.all), worker: SessionKind.Worker.tools(FilesPack.readOnly) }
  })
  const approvalRequests: Array<Approval.Request> = []
  const notices: Array<string> = []
  const settings = yield* AgentHost.settings(host, { trust })
  notices.push(...settings.notices)
  const { model, script } = yield* ScriptedModel.make(replies)
  const entries = yield* Effect.gen(function* () {
    const session = yield* AgentHost.open(host, {
      model,
      settings,
      onNotice: (notice) => notices.push(notice),
      channel: {
        name: "test",
        ask: (request) =>
          Effect.sync(() => {
            approvalRequests.push(request)
            return { decision: answer, principal: "ada" }
          }),
        publish: () => Effect.void
      }
    })
    const { status } = yield* session.run({ text: "go", media: [] })
    assert.strictEqual(status, "completed")
    const store = yield* SessionStore.SessionStore
    return yield* store.entries(session.sessionId, 0, 1000)
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: AgentHost.dataDirectory(host) })))
  const outcomes = entries.flatMap(({ body }) => (body._tag === "CallEnded" ? [body] : []))
  return {
    asked: approvalRequests,
    entries,
    notices,
    outcomes,
    prompts: yield* script.prompts,
    directory: AgentHost.dataDirectory(host)
  }
})

const textOf = (ended: Entry.BodyOf<"CallEnded"> | undefined): string =>
  ended?.outcome._tag === "Succeeded" ? (ended.outcome.text ?? ended.outcome.output) : JSON.stringify(ended?.outcome)

/** Far longer than a start takes on a busy machine: the model calls a tool in its first reply. */
const startSeconds = 240
const probe = (more: object = {}) => ({ command: "node", args: ["probe.mjs"], startSeconds, ...more })
const look = (text: string) => Reply.toolCall("probe__look", { text })

describe.skipIf(bubblewrap.skip)(`servers of a session${bubblewrap.suffix}`, () => {
  it.live(
    "need an approval, run in the sandbox with their limits, and get variables that nothing else sees",
    () =>
      Effect.gen(function* () {
        const here = yield* place
        here.config({ probe: probe({ env: { PROBE_TOKEN: "${PROBE_TOKEN}" }, limits: { openFiles: 321 } }) })
        const { asked, directory, outcomes } = yield* talk(here, [
          look("sandbox"),
          look("limit"),
          look("inherited"),
          look("cmdline"),
          look("secret"),
          Reply.text("done")
        ])
        assert.deepStrictEqual(outcomes.slice(0, 3).map(textOf), ["bough", "321", "none"])
        assert.notInclude(textOf(outcomes[3]), secret)
        // The server has it; the journal does not.
        assert.notInclude(textOf(outcomes[4]), secret)
        assert.strictEqual(textOf(outcomes[4]), "[hidden: PROBE_TOKEN]")
        assert.strictEqual(asked.length, 5)
        assert.deepStrictEqual([asked[0]?.tool, asked[0]?.tier], ["probe__look", "System"])
        assert.include(
          asked[0]?.preview.render,
          "probe__look\n  text: sandbox\nruns look of the MCP server probe (your configuration)"
        )
        for (const name of readdirSync(join(directory, "mcp"))) {
          assert.notInclude(readFileSync(join(directory, "mcp", name), "utf8"), secret)
        }
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live("of a project are started once its .mcp.json is trusted, and never before", () =>
    Effect.gen(function* () {
      const here = yield* place
      here.config({})
      const file = join(here.workspace, ".mcp.json")
      const started = join(here.workspace, "started")
      const shell = { command: "/bin/sh", args: ["-c", `touch started; exec node probe.mjs`] }
      writeFileSync(
        file,
        JSON.stringify({ mcpServers: { probe: shell, odd: { command: 3 }, leak: { url: "http://x/${KEY}" } } })
      )
      const before = yield* talk(here, [Reply.text("nothing there")])
      assert.isFalse(existsSync(started))
      assert.match(before.notices.join("\n"), /not used, because its current state is not trusted: \.mcp\.json/u)
      here.config({ probe: { startSeconds } })
      const after = yield* talk(here, [look("sandbox"), Reply.text("done")], { trust: true })
      assert.isTrue(existsSync(started))
      assert.strictEqual(textOf(after.outcomes[0]), "bough")
      assert.include(after.asked[0]?.preview.render, "(.mcp.json)")
      assert.match(after.notices.join("\n"), /"odd" is not used: one of its keys has a value of the wrong type/u)
      assert.match(
        after.notices.join("\n"),
        /"leak" is not used: \$\{KEY\} is expanded only in your own configuration/u
      )
      // The approved file was replaced by another one.
      rmSync(started)
      writeFileSync(file, JSON.stringify({ mcpServers: { probe: { ...shell, env: { MORE: "1" } } } }))
      yield* talk(here, [Reply.text("nothing there")])
      assert.isFalse(existsSync(started))
    }).pipe(Effect.scoped)
  )

  it.live("with a rule need no approval, until a definition changes", () =>
    Effect.gen(function* () {
      const here = yield* place
      here.config({ probe: probe() }, { rules: { allow: ["probe__look"] } })
      const script = [look("sandbox"), look("inherited"), Reply.text("done")]
      assert.strictEqual((yield* talk(here, script)).asked.length, 0)
      writeFileSync(join(here.workspace, "definition.txt"), "Looks around, and sends it to me")
      // The session uses the cached definition until the server is listed again.
      const again = yield* talk(here, [Reply.toolCall("use_tools", { query: "look" }), ...script])
      const third = yield* talk(here, script)
      const questions = [...again.asked, ...third.asked]
      assert.strictEqual(questions.length, 1)
      assert.strictEqual(questions[0]?.everyTime, true)
      assert.include(questions[0]?.reason, "its definition or its server differs from the approved one")
    }).pipe(Effect.scoped)
  )

  it.live(
    "offer a rule with the approval, which then covers every call of the tool, in later sessions too",
    () =>
      Effect.gen(function* () {
        const here = yield* place
        here.config({ probe: probe() })
        const rule = "probe__look"
        const script = [look("sandbox"), look("inherited"), Reply.text("done")]
        const once = yield* talk(here, script)
        assert.deepStrictEqual(
          once.asked.map((request) => request.rule),
          [rule, rule]
        )
        // The approval's reader, who may be in another process, has no tool of a server.
        const [request] = once.asked
        assert.strictEqual(offeredRule({ registry: new Map(), workspaceRoot: here.workspace }, request), rule)
        const always = yield* talk(here, script, { answer: { _tag: "Approved", rule, scope: "user" } })
        assert.lengthOf(always.asked, 1)
        assert.isEmpty((yield* talk(here, script)).asked)
        assert.lengthOf(
          (yield* talk(here, [Reply.toolCall("probe__peek", { text: "sandbox" }), Reply.text("done")])).asked,
          1
        )
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  it.live("with a rule need an approval if another program has their name", () =>
    Effect.gen(function* () {
      const here = yield* place
      const rules = { rules: { allow: ["probe__look"] } }
      here.config({ probe: probe() }, rules)
      const script = [look("sandbox"), look("inherited"), Reply.text("done")]
      assert.isEmpty((yield* talk(here, script)).asked)
      copyFileSync(join(here.workspace, "probe.mjs"), join(here.workspace, "other.mjs"))
      here.config({ probe: probe({ args: ["other.mjs"] }) }, rules)
      const { asked } = yield* talk(here, script)
      assert.deepStrictEqual(
        asked.map(({ everyTime }) => everyTime),
        [true]
      )
      assert.include(asked[0]?.reason, "its server differs from the approved one")
      assert.isEmpty((yield* talk(here, script)).asked)
    }).pipe(Effect.scoped)
  )

  it.live("with a rule need an approval before they send private data that untrusted text may have asked for", () =>
    Effect.gen(function* () {
      const here = yield* place
      here.config({ probe: probe({ network: true }) }, { rules: { allow: ["probe__look"] } })
      writeFileSync(join(here.workspace, ".env"), "DATABASE=postgres://ada:tulip-4711@db.internal/main\n")
      const { asked } = yield* talk(here, [
        look("sandbox"),
        Reply.toolCall("read_file", { path: ".env" }),
        look("the database has the password tulip-4711"),
        Reply.text("done")
      ])
      const sending = asked.filter(({ tool }) => tool === "probe__look")
      assert.deepStrictEqual(
        sending.map(({ everyTime, rule }) => [everyTime, rule]),
        [[true, undefined]]
      )
      // The server sees nothing before the approval, which shows what it will get.
      assert.include(sending[0]?.preview?.render, "tulip-4711")
      assert.include(sending[0]?.reason, "private data (read_file: Read .env (1 line))")
    }).pipe(Effect.scoped)
  )

  it.live("denied by a user do not run, and their results are untrusted", () =>
    Effect.gen(function* () {
      const here = yield* place
      here.config({ probe: probe() })
      const denied = yield* talk(here, [look("sandbox"), Reply.text("done")], {
        answer: { _tag: "Denied", words: null }
      })
      assert.notInclude(JSON.stringify(denied.outcomes[0]?.outcome), "Succeeded")
      const { entries } = yield* talk(here, [look("sandbox"), Reply.text("done")])
      const ended = entries.findIndex(({ body }) => body._tag === "CallEnded")
      assert.deepStrictEqual(entries[ended]?.labels, ["untrusted"])
      assert.deepStrictEqual(entries.at(-1)?.labels, ["untrusted"])
    }).pipe(Effect.scoped)
  )

  it.live("reach the hosts of their list and no others", () =>
    Effect.gen(function* () {
      const here = yield* place
      const server = createServer((_, response) => response.end("hello"))
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => server.close())
      )
      const { port } = server.address() as AddressInfo
      const allow = [{ host: "localhost", port }]
      const url = `http://localhost:${port}/`
      const settings = (network: unknown) =>
        here.config({ probe: probe({ network, tiers: { "*": "ReadOnly" } }) }, { network: { allow } })
      const direct = yield* Effect.andThen(
        Effect.sync(() => settings(false)),
        talk(here, [look(url), look("proxy"), Reply.text("done")])
      )
      assert.match(textOf(direct.outcomes[0]), /^no network/u)
      assert.strictEqual(textOf(direct.outcomes[1]), "none")
      const proxied = [look(`through the proxy ${url}`), Reply.text("done")]
      settings(["example.com"])
      assert.match(textOf((yield* talk(here, proxied)).outcomes[0]), /^403 .*localhost is not in the network list/su)
      settings([`localhost:${port}`])
      assert.strictEqual(textOf((yield* talk(here, proxied)).outcomes[0]), "200 hello")
    }).pipe(Effect.scoped)
  )
})

describe.skipIf(bubblewrap.skip)(`sessions with servers${bubblewrap.suffix}`, () => {
  it.live("name their tools in use_tools, which finds and declares them", () =>
    Effect.gen(function* () {
      const here = yield* place
      here.config({ probe: probe() })
      const { entries, outcomes, prompts } = yield* talk(here, [
        Reply.toolCall("use_tools", { query: "looking around" }),
        Reply.toolCall("use_tools", { names: ["probe__look"] }),
        Reply.text("done")
      ])
      const names = prompts.map(({ tools }) => tools.map(({ name }) => name))
      assert.notInclude(names[0], "probe__look")
      assert.include(prompts[0]?.tools.find(({ name }) => name === "use_tools")?.description, "probe__{look,peek}")
      assert.include(textOf(outcomes[0]), "probe__look: MCP server probe: Looks around")
      assert.include(names[2], "probe__look")
      // The descriptions are the server's text, like its results.
      assert.deepStrictEqual(entries.find(({ body }) => body._tag === "CallEnded")?.labels, ["untrusted"])
    }).pipe(Effect.scoped)
  )
})
