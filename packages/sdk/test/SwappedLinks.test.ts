/**
 * Links that are swapped between the decision on a call and its effect: the call acts on the approved target, or not at
 * all.
 */
import type { ToolError } from "@bough/protocol"
import { Capability, Tool, ToolPack, type WorkspaceRead, type WorkspaceWrite } from "@bough/tool"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { open } from "../src/index.ts"

let root = ""

/** `swap` leads to `src` when a call is judged, and to `deploy` when it acts. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bough-swapped-"))
  for (const path of ["deploy", "src"]) {
    mkdirSync(join(root, path))
    writeFileSync(join(root, path, "x"), path)
  }
  lead("src")
})

afterEach(() => rmSync(root, { recursive: true }))

const lead = (to: string): void => {
  const link = join(root, "swap")
  if (readdirSync(root).includes("swap")) unlinkSync(link)
  symlinkSync(to, link)
}

interface Services {
  readonly reads: WorkspaceRead.WorkspaceRead["Service"]
  readonly writes: WorkspaceWrite.WorkspaceWrite["Service"]
}

type Act = (services: Services, path: string) => Effect.Effect<unknown, ToolError.ToolError>

const acting = (act: Act, looks: boolean): Tool.Any =>
  Tool.make("act", {
    version: 1,
    description: "Acts",
    tier: "Workspace",
    replay: "Unsafe",
    capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
    parameters: Schema.Struct({ path: Schema.String }),
    output: Schema.String,
    ...(looks
      ? {
          classify: ({ path }) =>
            Effect.flatMap(Capability.WorkspaceRead, ({ inspect }) =>
              Effect.map(inspect(path), () => ({ tier: "Workspace" as const }))
            )
        }
      : {}),
    execute: ({ path }) =>
      Effect.gen(function* () {
        const services = { reads: yield* Capability.WorkspaceRead, writes: yield* Capability.WorkspaceWrite }
        lead("deploy")
        const output = JSON.stringify(yield* act(services, path))
        return Tool.result({ output, display: "Done" })
      })
  }) as Tool.Any

const bytes = new TextEncoder().encode("new")

const acts: ReadonlyArray<readonly [what: string, path: string, act: Act]> = [
  ["writes a file", "swap/x", ({ writes }, path) => writes.writeFile(path, bytes)],
  ["writes a new file", "swap/new", ({ writes }, path) => writes.writeFile(path, bytes)],
  ["writes below a new directory", "swap/more/new", ({ writes }, path) => writes.writeFile(path, bytes)],
  ["makes directories", "swap/more/deep", ({ writes }, path) => writes.createDirectory(path)],
  ["removes", "swap/x", ({ writes }, path) => writes.remove(path)],
  ["moves away", "swap/x", ({ writes }, path) => writes.move(path, "y")],
  ["moves there", "swap/y", ({ writes }, path) => writes.move("src/x", path)],
  ["copies there", "swap/y", ({ writes }, path) => writes.copy("src/x", path)],
  ["copies away", "swap/x", ({ writes }, path) => writes.copy(path, "y")],
  ["reads a file", "swap/x", ({ reads }, path) => reads.readFile(path, 100)],
  [
    "reads lines",
    "./swap//x",
    ({ reads }, path) => reads.readLines(path, { from: 1, count: 1, maxBytes: 100 } as never)
  ],
  ["asks about a file", "swap/x", ({ reads }, path) => reads.info(path)],
  ["digests", "swap/x", ({ reads }, path) => reads.digest(path)],
  ["lists", "swap", ({ reads }, path) => reads.list(path, { recursive: true, hidden: true, limit: 10 } as never)],
  ["finds", "swap", ({ reads }, path) => reads.find("**", path, 10)]
]

describe("a call whose link is swapped", () => {
  const ways = [
    ["rules", ["deny * path=deploy/"], false],
    ["classify", [], true]
  ] as const

  it.each(ways.flatMap(([by, rules, looks]) => acts.map((act) => [by, ...act, rules, looks] as const)))(
    "is refused where %s judged it and it %s",
    async (_, what, path, act, rules, looks) => {
      await using tools = await open(ToolPack.make(acting(act, looks)), { root, rules })
      const resultText = JSON.stringify(await tools.call("act", { path }))
      assert.include(resultText, "MovedPath", what)
      assert.deepStrictEqual(readdirSync(join(root, "deploy")), ["x"])
      assert.isFalse(existsSync(join(root, "y")))
    }
  )

  it.each(ways)(
    "acts on the target that %s judged while nothing is swapped, through the link and on it",
    async (_, rules, looks) => {
      const onLink = acting(
        ({ writes }, path) =>
          Effect.andThen(
            Effect.sync(() => lead("src")),
            writes.remove(path)
          ),
        looks
      )
      await using tools = await open(ToolPack.make(onLink), { root, rules })
      assert.strictEqual((await tools.call("act", { path: "swap/x" })).status, "success")
      assert.deepStrictEqual(readdirSync(join(root, "src")), [])
      assert.strictEqual((await tools.call("act", { path: "swap" })).status, "success")
      assert.deepStrictEqual(readdirSync(root).toSorted(), ["deploy", "src"])
    }
  )
})
