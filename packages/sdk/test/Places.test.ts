/** Rules about paths over a real workspace: links, parents, lists, and fields that a pack declares. */
import { Capability, Tool, ToolPack, ToolSchema } from "@bough/tool"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { open } from "../src/index.ts"

const facts = {
  version: 1,
  description: "Acts",
  replay: "Unsafe",
  output: Schema.Struct({ done: Schema.Boolean }),
  execute: () => Effect.succeed(Tool.result({ output: { done: true }, display: "Done" }))
} as const

const write = Tool.make("write_it", {
  ...facts,
  tier: "Workspace",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({ path: Schema.String })
})
const move = Tool.make("move_it", {
  ...facts,
  tier: "Workspace",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({ from: Schema.String, to: Schema.String })
})
const publish = Tool.make("publish", {
  ...facts,
  tier: "Workspace",
  capabilities: [Capability.WorkspaceWrite],
  parameters: Schema.Struct({
    target: ToolSchema.path(Schema.String),
    files: Schema.Array(ToolSchema.path(Schema.NonEmptyString)),
    note: Schema.String
  })
})
const risk = Tool.make("risk_it", {
  ...facts,
  tier: "Elevated",
  capabilities: [Capability.WorkspaceWrite],
  parameters: Schema.Struct({ path: Schema.String })
})

const pack = ToolPack.make(write, move, publish, risk)

let root = ""

/** `deploy` with a file, `d2` and `d3` links to it, `src/deep/up` a link to the root. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "places-"))
  for (const path of ["deploy/keys", "src/deep", "ci"]) mkdirSync(join(root, path), { recursive: true })
  writeFileSync(join(root, "deploy/x"), "x")
  symlinkSync("deploy", join(root, "d2"))
  symlinkSync(`${root}/deploy`, join(root, "d3"))
  symlinkSync("../..", join(root, "src/deep/up"))
})

afterEach(() => rmSync(root, { recursive: true }))

type Deciding = (name: string, parameters: unknown) => Promise<"done" | "asked" | "denied">

const withRules = async (rules: ReadonlyArray<string>, use: (decide: Deciding) => Promise<void>) => {
  let isAsked = false
  await using tools = await open(pack, {
    root,
    rules,
    approve: () => {
      isAsked = true
      return false
    }
  })
  const calls = tools as unknown as Record<string, (parameters: unknown) => Promise<{ readonly status: string }>>
  await use(async (name, input) => {
    isAsked = false
    const call = calls[name]
    const { status } = await call(input)
    return isAsked ? "asked" : status === "success" ? "done" : "denied"
  })
}

describe("rules about places", () => {
  it("a deny applies in every spelling, through links, to missing paths, and to a parent", async () => {
    await withRules(["deny * path=deploy/"], async (decide) => {
      for (const path of [
        "deploy/x",
        "deploy",
        "./deploy//x",
        "src/../deploy/x",
        "DEPLOY/x",
        `${root}/deploy/x`,
        "d2/x",
        "d2",
        "d3/new/er",
        "src/deep/up/deploy/x",
        "src/deep/up/d2/new",
        "."
      ]) {
        assert.strictEqual(await decide("write_it", { path }), "denied", path)
      }
      for (const path of ["deployx", "src/deploy", "src/x"]) {
        assert.strictEqual(await decide("write_it", { path }), "done", path)
      }
      assert.strictEqual(await decide("move_it", { from: "d2/x", to: "ci/y" }), "denied")
    })
    await withRules(["deny * path=deploy/keys", "deny write_it path=d2/"], async (decide) => {
      assert.strictEqual(await decide("move_it", { from: "d2", to: "e" }), "denied")
      assert.strictEqual(await decide("write_it", { path: "deploy/x" }), "denied")
      assert.strictEqual(await decide("move_it", { from: "d2/x", to: "e" }), "done")
    })
  })

  it("an ask matches both ends of a move, and the fields that a pack declares", () =>
    withRules(["ask * path=ci/"], async (decide) => {
      assert.strictEqual(await decide("move_it", { from: "deploy/x", to: "ci/y" }), "asked")
      assert.strictEqual(await decide("move_it", { from: "ci/y", to: "src/x" }), "asked")
      assert.strictEqual(await decide("move_it", { from: "src/x", to: "src/y" }), "done")
      const input = { target: "src", files: ["src/a"], note: "ci/x" }
      assert.strictEqual(await decide("publish", input), "done")
      assert.strictEqual(await decide("publish", { ...input, target: "./ci" }), "asked")
      assert.strictEqual(await decide("publish", { ...input, files: ["a", "src/deep/up/ci/b"] }), "asked")
    }))

  it("a rule may name a path of a tool with another field name", () =>
    withRules(["deny publish path=ci", "deny move_it path=ci"], async (decide) => {
      assert.strictEqual(await decide("publish", { target: "ci", files: [], note: "" }), "denied")
      assert.strictEqual(await decide("move_it", { from: "a", to: "ci/a" }), "denied")
    }))

  it("an allow applies if the path's target matches too, and not for a link to elsewhere", () =>
    withRules(["risk_it path=deploy/x", "risk_it path=d2/x", "risk_it path=ci/"], async (decide) => {
      assert.strictEqual(await decide("risk_it", { path: "deploy/x" }), "done")
      assert.strictEqual(await decide("risk_it", { path: "d2/x" }), "asked")
      assert.strictEqual(await decide("risk_it", { path: "ci" }), "asked")
      assert.strictEqual(await decide("risk_it", { path: "ci/" }), "done")
    }))
})
