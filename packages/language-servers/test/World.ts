/** A workspace on the disk, servers as real processes, and the capability as a call would get it. */
import { ProcessRunnerNode } from "@bough/sandbox"
import { CodeIntelligence, SessionProcess, type ToolContext } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { Workspace } from "@bough/workspace"
import * as Effect from "effect/Effect"
import { spawn, type ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import * as LanguageServers from "../src/LanguageServers.ts"
import { defaultLimits, type ServerConfig } from "../src/ServerConfig.ts"

const require = createRequire(import.meta.url)

const server = (name: string, parameters: Partial<ServerConfig>): ServerConfig => ({
  name,
  command: process.execPath,
  args: [],
  extensions: [name],
  env: {},
  initializationOptions: null,
  settings: null,
  limits: defaultLimits,
  ...parameters
})

const binOf = (name: string, bin: string): string =>
  path.join(path.dirname(require.resolve(`${name}/package.json`)), bin)

export const typescript = server("typescript", {
  args: [binOf("typescript-language-server", "lib/cli.mjs"), "--stdio"],
  extensions: ["ts", "tsx", "js"],
  initializationOptions: { tsserver: { path: binOf("typescript-with-server", "lib/tsserver.js") } }
})

export const nativeTypescript = server("typescript", {
  args: [binOf("typescript", "bin/tsc"), "--lsp", "--stdio"],
  extensions: ["ts", "tsx", "js"]
})

export const pyright = server("python", {
  args: [binOf("pyright", "langserver.index.js"), "--stdio"],
  extensions: ["py"]
})

/** A server of the tests, which does what its argument says. */
export const scripted = (...args: ReadonlyArray<string>): ServerConfig =>
  server("scripted", {
    args: [fileURLToPath(new URL("servers/scripted.mjs", import.meta.url)), ...args],
    extensions: ["txt"]
  })

export interface World {
  readonly root: string
  readonly service: CodeIntelligence.CodeIntelligence["Service"]
  readonly afterWrite: (...paths: ReadonlyArray<string>) => Effect.Effect<string | null>
  /** The processes that have been started, and those that still run. */
  readonly started: () => number
  readonly running: ReadonlySet<ChildProcess>
  readonly write: (name: string, text: string) => void
}

/** Plain processes: running them in a sandbox is tested elsewhere. */
const starter =
  (cwd: string, running: Set<ChildProcess>, onStart: () => void): SessionProcess.Start =>
  ({ args, command, env }, { onEnd, onOutput }) =>
    Effect.acquireRelease(
      Effect.callback<ChildProcess, SessionProcess.StartFailed>((resume) => {
        onStart()
        const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "pipe" })
        child.on("error", ({ message }) => resume(Effect.fail(new SessionProcess.StartFailed({ message }))))
        child.on("spawn", () => {
          running.add(child)
          resume(Effect.succeed(child))
        })
        child.on("exit", (code) => {
          running.delete(child)
          onEnd(`its process ended with exit code ${code}`)
        })
        child.stdout.setEncoding("utf8").on("data", (text: string) => onOutput("stdout", text))
        child.stderr.setEncoding("utf8").on("data", (text: string) => onOutput("stderr", text))
        child.stdin.on("error", () => {})
      }),
      (child) =>
        Effect.callback<void>((resume) => {
          if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
          child.once("exit", () => resume(Effect.void))
          child.kill("SIGKILL")
        })
    ).pipe(Effect.map((child) => ({ write: (text: string) => void child.stdin?.write(text) })))

export const open = Effect.fnUntraced(function* (
  servers: ReadonlyArray<ServerConfig>,
  files: Readonly<Record<string, string>>
) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "bough-servers-")))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const workspace = yield* Workspace.make({ root, variables: { PATH: process.env["PATH"] ?? "" } }).pipe(
    Effect.provide(ProcessRunnerNode.layer)
  )
  const running = new Set<ChildProcess>()
  let started = 0
  const made = yield* LanguageServers.make({
    servers,
    roots: [root],
    afterWriteMillis: 30_000,
    start: starter(root, running, () => (started += 1))
  })
  const provided: Pick<ToolContext.ProvidedService<World["service"]>, "afterWrite" | "make"> = made.provided(
    (_invocation, bounds) => workspace.read([], bounds?.withheld)
  )
  const invocation = SampleInvocation.make({ workspaceRoot: root })
  const world: World = {
    root,
    service: provided.make(invocation, () => {}),
    afterWrite: (...paths) =>
      provided.afterWrite?.({ paths, invocation, bounds: {}, mark: () => {} }) ?? Effect.succeed(null),
    started: () => started,
    running,
    write
  }
  return world
})

export const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(tmpdir(), "bough-servers-log-"))),
  (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
)
