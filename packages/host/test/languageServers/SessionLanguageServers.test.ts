/**
 * A real language server in whole sessions: in the sandbox, warm across calls, its tools only with a server, and edits
 * that report its diagnostics.
 */
import { CodePack } from "@bough/pack-code"
import { FilesPack } from "@bough/pack-files"
import { SessionStore } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { requires } from "../../../../test/requirements.ts"
import * as AgentHost from "../../src/AgentHost.ts"

const bubblewrap = requires("bubblewrap")
const modules = realpathSync(fileURLToPath(new URL("../../../../node_modules", import.meta.url)))
const compiler = realpathSync(join(modules, "typescript/bin/tsc"))

/** The server of TypeScript 7: it is installed here anyway, and starts at once. */
const typescript = { command: process.execPath, args: [compiler, "--lsp", "--stdio"] }

const files = {
  "tsconfig.json": `{ "compilerOptions": { "strict": true, "types": [], "noEmit": true, "allowImportingTsExtensions": true } }`,
  "area.ts": "export const area = (radius: number): number => 3 * radius\n",
  "main.ts": `import { area } from "./area.ts"\nexport const two = area(2)\n`
}

interface Talk {
  readonly config?: object
  readonly withServer?: boolean
}

/** One turn of a new session: the results of the calls, and the model's input. */
const talk = Effect.fnUntraced(function* (
  replies: ReadonlyArray<Reply.Reply>,
  { config = {}, withServer = true }: Talk = {}
) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-lsp-host-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const workspace = join(root, "work")
  mkdirSync(workspace)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text)
  mkdirSync(join(root, "home/.config/bough"), { recursive: true })
  writeFileSync(
    join(root, "home/.config/bough/config.jsonc"),
    JSON.stringify({
      embedding: { model: "none" },
      memory: { recall: false },
      commands: { readOnlyPaths: [modules] },
      ...(withServer ? { languageServers: { typescript } } : {}),
      ...config
    })
  )
  const host = AgentHost.make({
    name: "bough",
    environment: {
      variables: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
      platform: process.platform,
      home: join(root, "home"),
      currentDirectory: workspace,
      user: "ada"
    },
    packs: {
      main: SessionKind.Main.tools(ToolPack.merge(FilesPack.all, CodePack.all)),
      worker: SessionKind.Worker.tools(ToolPack.merge(FilesPack.readOnly, CodePack.readOnly))
    }
  })
  const notices: Array<string> = []
  const { model, script } = yield* ScriptedModel.make(replies)
  const entries = yield* Effect.gen(function* () {
    const session = yield* AgentHost.open(host, {
      model,
      settings: yield* AgentHost.settings(host, { trust: true }),
      onNotice: (notice) => notices.push(notice),
      channel: {
        name: "test",
        ask: () => Effect.succeed({ decision: { _tag: "Approved", rule: null }, principal: "ada" }),
        publish: () => Effect.void
      }
    })
    const { status } = yield* session.run({ text: "go", media: [] })
    assert.strictEqual(status, "completed")
    const store = yield* SessionStore.SessionStore
    return yield* store.entries(session.sessionId, 0, 1000)
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: AgentHost.dataDirectory(host) })))
  const texts = entries.flatMap(({ body }) => {
    if (body._tag !== "CallEnded") return []
    const { outcome } = body
    return [outcome._tag === "Succeeded" ? (outcome.text ?? outcome.output) : JSON.stringify(outcome)]
  })
  return { notices, texts, workspace, prompts: yield* script.prompts }
})

const call = Reply.toolCall
const breaking = { path: "main.ts", edits: [{ old: "area(2)", new: "area('2')" }] }
const repairing = { path: "main.ts", edits: [{ old: "area('2')", new: "area(2)" }] }

describe.skipIf(bubblewrap.skip)(`language servers of a session${bubblewrap.suffix}`, () => {
  it.live("answer in the sandbox, rename through the workspace, and report the errors that an edit caused", () =>
    Effect.gen(function* () {
      const { texts, workspace } = yield* talk([
        call("lsp_definition", { path: "main.ts", line: 2, name: "area" }),
        call("lsp_diagnostics", { path: "main.ts" }),
        call("edit_file", breaking),
        call("edit_file", repairing),
        call("lsp_rename", { path: "area.ts", line: 1, name: "area", newName: "triple" }),
        call("lsp_references", { path: "area.ts", line: 1, name: "triple" }),
        call("lsp_hover", { path: "area.ts", line: 1, name: "quadruple" }),
        call("lsp_hover", { path: "area.ts", line: 1, name: "triple" }),
        call("lsp_symbols", { path: "area.ts" }),
        call("lsp_symbols", { path: "area.ts", query: "tripl" }),
        Reply.text("done")
      ])
      const [definition, problems, broken, repaired, renamed, references, misnamed, hover, symbols, found] = texts
      assert.strictEqual(definition, `area.ts:1:14: ${files["area.ts"].trim()}`)
      assert.strictEqual(problems, "[typescript: no problems in main.ts]")
      assert.match(broken ?? "", /\n\[typescript: main\.ts has 1 new problem\]\nmain\.ts:2:25 error 2345: Argument/u)
      assert.match(repaired ?? "", /\n\[typescript: main\.ts has 0 new problems; 1 gone, 0 left\]$/u)
      assert.strictEqual(renamed, "area.ts: 1 place\nmain.ts: 2 places")
      assert.include(readFileSync(join(workspace, "main.ts"), "utf8"), "export const two = triple(2)")
      assert.strictEqual(references?.split("\n").length, 3)
      assert.include(hover ?? "", "triple: (radius: number) => number")
      assert.match(symbols ?? "", /^area\.ts:1 \w+ triple$/mu)
      assert.match(found ?? "", /^area\.ts:1 \w+ triple$/mu)
      assert.match(misnamed ?? "", /\\?"quadruple\\?" is not in line 1 of area\.ts, which is: export const triple/u)
    })
  )

  it.live("report nothing after an edit while none runs, or if that is switched off", () =>
    Effect.gen(function* () {
      const cold = yield* talk([call("edit_file", breaking), Reply.text("done")])
      assert.strictEqual(cold.texts[0]?.split("\n").length, 1)
      const off = yield* talk(
        [call("lsp_diagnostics", { path: "main.ts" }), call("edit_file", breaking), Reply.text("done")],
        { config: { editDiagnostics: false } }
      )
      assert.strictEqual(off.texts[1]?.split("\n").length, 1)
    })
  )

  it.live("provide no tools without a server, and a notice for an invalid configuration", () =>
    Effect.gen(function* () {
      const { prompts, texts } = yield* talk(
        [call("lsp_hover", { path: "main.ts", line: 1, name: "area" }), Reply.text("no")],
        {
          withServer: false
        }
      )
      assert.notInclude(JSON.stringify(prompts[0]), "lsp_")
      assert.match(texts[0] ?? "", /lsp_hover/u)
      const wrong = yield* talk([Reply.text("no")], { config: { languageServers: { odd: { command: "odd" } } } })
      assert.include(wrong.notices.join(), 'the language server "odd" is not used: it has no extensions')
    })
  )

  it.live("have the configured limits and no way to write", () =>
    Effect.gen(function* () {
      const script = `echo "files $(ulimit -n) memory $(ulimit -d) $(touch written 2>&1) $( (exec 3<>/dev/tcp/1.1.1.1/80) 2>&1)" | tr '\\n' ' ' >&2; exit 3`
      const probe = { command: "bash", args: ["-c", script], limits: { openFiles: 321, memoryBytes: 512 * 1024 ** 2 } }
      const { texts } = yield* talk([call("lsp_diagnostics", { path: "main.ts" }), Reply.text("done")], {
        config: { languageServers: { typescript: probe } }
      })
      assert.match(
        texts[0] ?? "",
        /did not start: .*files 321 memory 524288 .*Read-only file system.*(?:unreachable|No such)/u
      )
    })
  )
})
