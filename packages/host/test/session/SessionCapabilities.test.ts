/** The capabilities of each kind of session in a real workspace. */
import { FilesPack } from "@bough/pack-files"
import { Capability, SessionKind } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AgentHost from "../../src/AgentHost.ts"
import { Memories } from "../../src/memory/Memories.ts"
import * as SessionCapabilities from "../../src/session/SessionCapabilities.ts"

/** Memory is tested elsewhere. */
const memories = { provideReads: <A>(context: A) => context, provideWrites: <A>(context: A) => context }

const keysOf = Effect.fnUntraced(function* (kind: "Main" | "Branch" | "Worker") {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-capabilities-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  for (const name of ["home", "work"]) mkdirSync(join(root, name))
  const host = AgentHost.make({
    name: "bough",
    packs: { main: SessionKind.Main.tools(FilesPack.all), worker: SessionKind.Worker.tools(FilesPack.readOnly) },
    environment: {
      variables: { PATH: process.env["PATH"] },
      platform: process.platform,
      home: join(root, "home"),
      currentDirectory: join(root, "work"),
      user: "ada"
    }
  })
  const settings = yield* AgentHost.settings(host, { trust: true })
  const context = yield* SessionCapabilities.context(settings, kind)
  return new Set(context.capabilities.keys())
})

describe("the capabilities of a session", () => {
  it.live("of a Worker read alone: it writes no file, runs no command, sets no variable and sends no request", () =>
    Effect.gen(function* () {
      const [main, branch, worker] = [yield* keysOf("Main"), yield* keysOf("Branch"), yield* keysOf("Worker")]
      const reading = [Capability.WorkspaceRead, Capability.NetworkRead, Capability.RepositoryRead]
      for (const { key } of reading) assert.isTrue(worker.has(key), key)
      const acting = [
        Capability.WorkspaceWrite,
        Capability.RepositoryWrite,
        Capability.RepositoryPush,
        Capability.NetworkWrite,
        Capability.Execution,
        Capability.Environment
      ]
      for (const { key } of acting) {
        assert.deepStrictEqual([main.has(key), branch.has(key), worker.has(key)], [true, true, false], key)
      }
    }).pipe(Effect.provideService(Memories, memories as never), Effect.scoped)
  )
})
