/**
 * A desk for the jobs of an ordinary day: a home, a repository, registries on loopback, a model that plays its calls
 * and a user who approves.
 */
import { FilesPack } from "@bough/pack-files"
import { GitPack } from "@bough/pack-git"
import { ShellPack } from "@bough/pack-shell"
import type { Approval } from "@bough/protocol"
import { type Channel, SessionStore, WorkspaceChanges } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind, ToolPack } from "@bough/tool"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as AgentHost from "../../src/AgentHost.ts"

const packs = {
  main: SessionKind.Main.tools(ToolPack.merge(FilesPack.all, GitPack.all, ShellPack.all)),
  worker: SessionKind.Worker.tools(FilesPack.readOnly)
}

export interface Desk {
  readonly root: string
  readonly home: string
  readonly workspace: string
}

export const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

export const git = ({ home, workspace }: Desk, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, {
    cwd: workspace,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "pipe", "pipe"]
  })

/** A home with a name for git, and a repository with one commit. */
export const desk = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-jobs-")))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const made: Desk = { root, home: join(root, "home"), workspace: join(root, "work") }
  write(
    join(made.home, ".gitconfig"),
    "[user]\n\tname = Ada\n\temail = ada@example.test\n[init]\n\tdefaultBranch = main\n"
  )
  mkdirSync(join(made.home, ".local/share/bough"), { recursive: true })
  configure(made, {})
  write(join(made.workspace, "src/sum.py"), "def add(a, b):\n    return a + b\n")
  write(join(made.workspace, "package.json"), '{"name":"shop","private":true}\n')
  git(made, "init", "-q")
  git(made, "add", ".")
  git(made, "commit", "-qm", "first")
  return made
})

export const configure = ({ home }: Desk, more: Readonly<Record<string, unknown>>): void =>
  write(
    join(home, ".config/bough/config.jsonc"),
    JSON.stringify({ embedding: { model: "none" }, memory: { recall: false }, ...more })
  )

export type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>]

export const run = (command: string, more: Readonly<Record<string, unknown>> = {}): Call => [
  "run_command",
  { command, ...more }
]

/** Plays the calls one a step. Returns the model's input for each, and the approval requests. */
export const play = Effect.fnUntraced(function* (
  desk: Desk,
  calls: ReadonlyArray<Call>,
  { folder = "", undoes = false }: { readonly folder?: string; readonly undoes?: boolean } = {}
) {
  const approvalRequests: Array<Approval.Request> = []
  const channel: Channel.Channel["Service"] = {
    name: "terminal",
    ask: (request) =>
      Effect.sync(() => {
        approvalRequests.push(request)
        return { decision: { _tag: "Approved", rule: null }, principal: "ada" } as const
      }),
    publish: () => Effect.void
  }
  const { model, script } = yield* ScriptedModel.make([
    ...calls.map(([tool, given]) => Reply.toolCall(tool, given)),
    Reply.text("done")
  ])
  const host = AgentHost.make({
    name: "bough",
    packs,
    environment: {
      variables: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", HOME: desk.home },
      platform: process.platform,
      home: desk.home,
      currentDirectory: join(desk.workspace, folder),
      user: "ada"
    }
  })
  return yield* Effect.gen(function* () {
    const session = yield* AgentHost.open(host, { model, channel })
    const { status } = yield* session.run({ text: "please do it", media: [] })
    assert.strictEqual(status, "completed")
    const prompt = (yield* script.prompts).at(-1)
    const read = (prompt?.messages ?? []).flatMap((message) => (message._tag === "ToolResult" ? [message.output] : []))
    assert.lengthOf(read, calls.length)
    const store = yield* SessionStore.SessionStore
    const entries = yield* store.entries(session.sessionId, 0, 1000)
    if (undoes) {
      const undone = { session: session.sessionId, calls: yield* WorkspaceChanges.read(store, session.sessionId) }
      yield* session.snapshots?.undo({ ...undone, turn: null, isForced: false }) ?? Effect.die("nothing is recorded")
    }
    return { read, asked: approvalRequests.length, bodies: entries.map(({ body }) => body) }
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: AgentHost.dataDirectory(host) })))
})

const serve = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/** A registry with one package, as npm uses it. */
export const registry = Effect.fnUntraced(function* ({ root }: Desk) {
  write(join(root, "packed/package/package.json"), '{"name":"small-thing","version":"1.2.3","main":"index.js"}')
  write(join(root, "packed/package/index.js"), 'module.exports = "small thing"')
  execFileSync("tar", ["czf", "out.tgz", "package"], { cwd: join(root, "packed") })
  const bytes = readFileSync(join(root, "packed/out.tgz"))
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`
  return yield* serve(({ headers, url = "" }, response) => {
    if (url.endsWith(".tgz")) return void response.end(bytes)
    if (url !== "/small-thing") return void response.writeHead(404).end("{}")
    const dist = { tarball: `http://${headers.host}/small-thing-1.2.3.tgz`, integrity }
    const versions = { "1.2.3": { name: "small-thing", version: "1.2.3", main: "index.js", dist } }
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ name: "small-thing", "dist-tags": { latest: "1.2.3" }, versions }))
  })
})

/** An index of Python packages with one wheel, as pip uses it. */
export const pythonIndex = Effect.fnUntraced(function* ({ root }: Desk) {
  const name = "small_thing-1.2.3-py3-none-any.whl"
  const made = `import zipfile
wheel = zipfile.ZipFile("${name}", "w")
wheel.writestr("small_thing.py", "def says(): return 'small thing'")
wheel.writestr("small_thing-1.2.3.dist-info/METADATA", "Metadata-Version: 2.1\\nName: small-thing\\nVersion: 1.2.3\\n")
wheel.writestr("small_thing-1.2.3.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
wheel.writestr("small_thing-1.2.3.dist-info/RECORD", "")
wheel.close()
`
  execFileSync("/usr/bin/python3", ["-c", made], { cwd: root })
  const bytes = readFileSync(join(root, name))
  return yield* serve(({ url = "" }, response) => {
    if (url.endsWith(".whl")) return void response.end(bytes)
    if (url !== "/simple/small-thing/") return void response.writeHead(404).end()
    response.setHeader("content-type", "text/html")
    response.end(`<!DOCTYPE html><html><body><a href="/files/${name}">${name}</a></body></html>`)
  })
})

/** Python's own server, on a port that it writes to a file once it listens. */
export const devServer = `import http.server, os
served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
open("port.part", "w").write(str(served.server_address[1])); os.rename("port.part", "port")
print("listening", flush=True)
served.serve_forever()
`
