/**
 * A program that tries every way out of the sandbox that its authors could think of: as root and for an ordinary user,
 * with and without a grant of the network, in a sandbox of its own and in a session's shell. None leads out.
 */
import { Session } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createServer as createListener } from "node:net"
import { join } from "node:path"
import { chosenOf, isThorough, thorough } from "../../../test/thorough.ts"
import * as CommandProxy from "../../network/src/proxy/CommandProxy.ts"
import { BackgroundCommands, Sandbox } from "../src/index.ts"
import { asRoot, bubblewrap, environment, place } from "./Places.ts"

/** The programs with the least number of ways that they try together. */
const [programs, minTried] = isThorough
  ? ([["waysOut.sh", "moreWaysOut.sh"], 280] as const)
  : ([["waysOut.sh"], 200] as const)

/** State of the machine that must stay unchanged. */
const surroundings = Effect.fnUntraced(function* (owner: number | undefined) {
  const { directory, workspace } = yield* place(owner)
  let visits = 0
  const count = (): void => void visits++
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer((_, response) => response.end("hidden")).on("connection", count)
      made.listen(0, () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.sync(() => made.close())
  )
  const abstract = `bough-way-${process.pid}-${(server.address() as AddressInfo).port}`
  yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createListener>>((resume) => {
      const made = createListener(count)
      made.listen(`\0${abstract}`, () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.sync(() => made.close())
  )
  for (const path of [join(directory, "socket"), join(workspace, "socket")]) {
    yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createListener>>((resume) => {
        const made = createListener(count)
        made.listen(path, () => resume(Effect.succeed(made)))
      }),
      (made) => Effect.sync(() => made.close())
    )
    chmodSync(path, 0o777)
  }
  const bystander = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("sh", ["-c", "read line; exit 0 # bough-way-alive"], { stdio: ["pipe", "ignore", "ignore"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  writeFileSync(join(directory, "canary"), "secret bough-canary-word")
  mkdirSync(join(workspace, "deep"))
  for (const name of [".env", "deep/.env"]) writeFileSync(join(workspace, name), "TOKEN=hidden-secret")
  writeFileSync(join(workspace, "AGENTS.md"), "rules")
  spawnSync("git", ["-C", workspace, "init", "-q"])
  if (owner !== undefined) spawnSync("chown", ["-R", `${owner}:${owner}`, workspace])
  if (owner !== undefined) chownSync(join(directory, "canary"), owner, owner)
  const state = () => ({
    canary: readFileSync(join(directory, "canary"), "utf8"),
    beside: readdirSync(directory).toSorted(),
    agents: readFileSync(join(workspace, "AGENTS.md"), "utf8"),
    config: readFileSync(join(workspace, ".git/config"), "utf8"),
    hook: existsSync(join(workspace, ".git/hooks/post-checkout")),
    secret: readFileSync(join(workspace, ".env"), "utf8"),
    lives: bystander.exitCode === null && bystander.signalCode === null,
    visits,
    left: ["/", "/etc", "/usr", "/usr/bin", "/root"].filter((path) => existsSync(join(path, "bough-way-out")))
  })
  const values = [directory, `${(server.address() as AddressInfo).port}`, `${bystander.pid}`, abstract]
  return { workspace, state, values }
})

type Way = readonly [backend: "bubblewrap" | "session", hasNetwork: boolean]
const all: ReadonlyArray<Way> = [
  ["bubblewrap", false],
  ["bubblewrap", true],
  ["session", false],
  ["session", true]
]

/** `played`: the ways of this suite that every run plays. */
const suite = (
  name: string,
  owner: number | undefined,
  { played, requirement }: { readonly played: (way: Way) => boolean; readonly requirement: typeof bubblewrap }
) =>
  describe.skipIf(requirement.skip)(`A program that looks for a way out, ${name}${requirement.suffix}`, () => {
    it.live.each(chosenOf(all, (index) => played(all[index])))(
      "finds none: %s, network granted: %s",
      ([backend, hasNetwork]) =>
        Effect.gen(function* () {
          const { state, values, workspace } = yield* surroundings(owner)
          const scope = yield* Scope.make()
          yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
          const background = yield* Effect.provideService(BackgroundCommands.make, Scope.Scope, scope)
          const proxy = CommandProxy.make({})
          const sandbox = yield* Sandbox.make({ backend }, environment, { proxy })
          const bounds: ToolContext.Bounds = hasNetwork ? { admitHost: () => Effect.succeed(null) } : {}
          const { run } = sandbox
            .provided({ root: workspace, writable: true, background })
            .make(SampleInvocation.make({ sessionId: Session.SessionId.make("a") }), () => {}, bounds)
          const before = state()
          const [outside = "", port = "", pid = "", abstract = ""] = values
          let tried = 0
          for (const name of programs) {
            const program = readFileSync(join(import.meta.dirname, "programs", name), "utf8")
            const ran = yield* run(`set -- ${outside} ${port} ${pid} ${abstract}\n${program}`, {
              timeoutMillis: 240_000
            })
            const lines = ran.stdout.trim().split("\n")
            assert.deepStrictEqual(
              lines.filter((line) => line.startsWith("OUT")),
              []
            )
            tried += Number(/^TRIED (\d+)$/u.exec(lines.at(-1) ?? "")?.[1])
            assert.deepStrictEqual(state(), before)
          }
          assert.isAtLeast(tried, minTried)
        }),
      thorough
    )
  })

suite("run by the user of the tests", undefined, {
  played: ([backend, hasNetwork]) => backend === "bubblewrap" && !hasNetwork,
  requirement: bubblewrap
})
suite("run by root for an ordinary user", 65_534, {
  played: ([backend, hasNetwork]) => backend === "session" && hasNetwork,
  requirement: asRoot
})
