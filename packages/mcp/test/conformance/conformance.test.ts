/**
 * The official conformance suite against both halves: every scenario that applies. docs/mcp.md lists the others. For
 * the server half one start of the suite plays all, including those that do not apply.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { someOf, thorough, thoroughOnly } from "../../../../test/thorough.ts"
import { serveHttp } from "../../src/server.ts"
import { offer } from "./offer.ts"

const served = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-elicitation",
  "json-schema-2020-12",
  "server-sse-multiple-streams",
  "dns-rebinding-protection"
]
const connected = ["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"]
/** Logins; a thorough run plays all. */
const logins = [
  "auth/scope-step-up",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-retry-limit",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/pre-registration",
  "auth/2025-03-26-oauth-metadata-backcompat",
  "auth/2025-03-26-oauth-endpoint-fallback",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
  "auth/resource-mismatch"
]

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")
const program = join(dirname(manifest), "dist/index.js")

/** The suite writes its results below the directory that it runs in. */
const suite = (cwd: string, ...args: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text))
    child.on("close", (code) => resume(Effect.succeed(`${output}\nexit code ${code}`)))
    return Effect.sync(() => child.kill())
  })

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-conformance-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const assertPassed = (said: string): void => {
  assert.match(said, /Passed: [1-9]\d*\/[1-9]\d*, 0 failed, 0 warnings/u, said)
  assert.match(said, /exit code 0$/u, said)
}

/** The suite writes its checks into a folder per scenario, whose name ends with the time. */
const hasPassed = (folder: string, scenario: string): boolean => {
  const [file] = globSync(join(folder, `server-${scenario}-20*`, "checks.json"))
  if (file === undefined) return false
  const checks = JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<{ readonly status: string }>
  const statuses = new Set(checks.map(({ status }) => status))
  return statuses.has("SUCCESS") && !statuses.has("FAILURE") && !statuses.has("WARNING")
}

describe("the conformance suite", () => {
  it.live(
    "passes every scenario of the server half that applies",
    () =>
      Effect.gen(function* () {
        const { url } = yield* serveHttp({ port: 0, token: null, offer })
        const folder = yield* directory
        const report = yield* suite(folder, "server", "--url", url, "--suite", "all", "-o", ".")
        assert.deepStrictEqual(
          served.filter((scenario) => !hasPassed(folder, scenario)),
          [],
          report
        )
      }).pipe(Effect.scoped),
    thoroughOnly
  )

  const passes = (scenario: string) =>
    Effect.gen(function* () {
      const client = fileURLToPath(new URL("connect.ts", import.meta.url))
      const command = `${process.execPath} ${client}`
      // The suite ends a client after half a minute, which a busy machine needs for one.
      const args = ["--command", command, "--scenario", scenario, "--timeout", "240000"]
      assertPassed(yield* suite(yield* directory, "client", ...args))
    }).pipe(Effect.scoped)

  it.live.each(someOf(connected, 1))("passes %s of the client half", passes, thorough)
  it.live.each(someOf(logins, 1))("passes %s of the client half", passes, thorough)
})
