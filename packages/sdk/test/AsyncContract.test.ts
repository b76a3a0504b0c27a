/** The full contract in async functions, with schemas of other libraries, as a program meets it. */
import { Tool, ToolPack, ToolSchema } from "@bough/tool"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as v from "valibot"
import { z } from "zod"
import { open } from "../src/index.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bough-async-"))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

const facts = { description: "Counts", version: 1, tier: "ReadOnly", replay: "Safe", capabilities: [] } as const

const repeatWord = async (parameters: { readonly word: string; readonly times: number }) => ({
  output: { text: parameters.word.repeat(parameters.times) },
  display: "Done"
})

const jsonSchema = {
  type: "object",
  properties: { word: { type: "string", minLength: 2 }, times: { type: "integer", default: 2 } },
  required: ["word"]
} as const

const tools = {
  zod: Tool.fromAsync("of_zod", {
    ...facts,
    parameters: z.object({ word: z.string().min(2), times: z.int().default(2) }),
    output: z.object({ text: z.string() }),
    execute: repeatWord
  }),
  valibot: Tool.fromAsync("of_valibot", {
    ...facts,
    parameters: Tool.standard(
      v.object({ word: v.pipe(v.string(), v.minLength(2)), times: v.optional(v.pipe(v.number(), v.integer()), 2) }),
      jsonSchema
    ),
    output: Tool.standard(v.object({ text: v.string() }), { type: "object", properties: { text: { type: "string" } } }),
    execute: repeatWord
  }),
  effect: Tool.fromAsync("of_effect", {
    ...facts,
    parameters: Schema.Struct({
      word: Schema.String.check(Schema.isMinLength(2)),
      times: ToolSchema.withDefault(Schema.Int, 2)
    }),
    output: Schema.Struct({ text: Schema.String }),
    execute: repeatWord
  })
}

describe("Tool.fromAsync with a schema of", () => {
  it.each(Object.entries(tools))(
    "%s: decodes, fills in defaults, refuses and declares like any tool",
    async (_, tool) => {
      const declared = ToolSchema.parameters(tool) as {
        properties: Record<string, object>
        additionalProperties: unknown
      }
      assert.deepStrictEqual(Object.keys(declared.properties).toSorted(), ["times", "word"])
      assert.isFalse(declared.additionalProperties)
      await using opened = await open(ToolPack.make(tool), { root })
      const call = opened.call as (name: string, parameters: unknown) => ReturnType<typeof opened.call>
      const result = await call(tool.name, { word: "ab" })
      assert.deepStrictEqual(result.status === "success" && result.result.output, { text: "abab" })
      for (const [input, field] of [
        [{ word: "a" }, "word"],
        [{ word: 3 }, "word"],
        [{}, "word"],
        [{ word: "ab", times: "x" }, "times"],
        [{ word: "ab", tims: 3 }, "tims"]
      ] as const) {
        const refused = await call(tool.name, input)
        assert.isTrue(refused.status === "error" && refused.error._tag === "ValidationError", JSON.stringify(refused))
        assert.include(JSON.stringify(refused), field)
      }
    }
  )

  it("JSON Schema: the same, with types that the compiler does not know", async () => {
    const tool = Tool.fromAsync("of_json", {
      ...facts,
      parameters: { ...jsonSchema, required: ["word", "times"] },
      output: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      execute: async ({ times, word }) => ({ output: { text: String(word).repeat(Number(times)) }, display: "Done" })
    })
    await using opened = await open(ToolPack.make(tool), { root })
    const result = await opened.of_json({ word: "ab", times: 2 })
    assert.deepStrictEqual(result.status === "success" && result.result.output, { text: "abab" })
    const refused = await opened.of_json({ word: "a", times: 2 })
    assert.isTrue(refused.status === "error" && refused.error._tag === "ValidationError")
  })

  it("an output that its schema refuses is the tool's bug, with the field", async () => {
    const tool = Tool.fromAsync("wrong", {
      ...facts,
      parameters: z.object({}),
      output: z.object({ count: z.number() }),
      execute: async () => ({ output: { count: "three" as unknown as number }, display: "Done" })
    })
    await using opened = await open(ToolPack.make(tool), { root })
    const result = await opened.wrong()
    assert.isTrue(result.status === "error" && result.error._tag === "ExecutionError", JSON.stringify(result))
    assert.include(JSON.stringify(result), "count")
  })

  it("its transformed value reaches the handler, and the original arguments are recorded", async () => {
    let value: unknown = null
    const receipts: Array<string> = []
    const tool = Tool.fromAsync("dated", {
      ...facts,
      parameters: z.object({ at: z.iso.date().transform((text) => new Date(text)) }),
      output: z.object({}),
      execute: async ({ at }) => {
        value = at
        return { output: {}, display: "Done" }
      }
    })
    await using opened = await open(ToolPack.make(tool), {
      root,
      onReceipt: ({ argumentsDigest }) => void receipts.push(argumentsDigest)
    })
    await opened.dated({ at: "2026-01-02" })
    await opened.dated({ at: "2026-01-02" })
    assert.deepStrictEqual(value, new Date("2026-01-02"))
    assert.strictEqual(new Set(receipts).size, 1)
  })

  it.each([
    ["no JSON Schema", () => v.object({ a: v.string() }), /parameters: .*valibot.*Tool\.standard/],
    ["another type than an object", () => z.string(), /parameters: .*object/],
    ["no schema at all", () => 3, /parameters must be/],
    ["a keyword that cannot be read", () => ({ type: "object", dependentRequired: { a: ["b"] } }), /parameters: /]
  ])("%s is refused at its declaration", (_, parameters, why) => {
    const declare = () =>
      Tool.fromAsync("odd", {
        ...facts,
        parameters: parameters() as unknown as z.ZodObject,
        output: z.object({}),
        execute: async () => ({ output: {}, display: "" })
      })
    assert.throws(declare, why)
  })

  it("an asynchronous check is refused with a message", async () => {
    const tool = Tool.fromAsync("slow", {
      ...facts,
      parameters: z.object({ a: z.string().refine(async () => true) }),
      output: z.object({}),
      execute: async () => ({ output: {}, display: "" })
    })
    await using opened = await open(ToolPack.make(tool), { root })
    assert.include(JSON.stringify(await opened.slow({ a: "x" })), "asynchronous")
  })
})

describe("Tool.fromAsync", () => {
  const deploys = (log: Array<string>) =>
    Tool.fromAsync("deploy", {
      description: "Deploys",
      version: 1,
      tier: "Workspace",
      replay: "Idempotent",
      capabilities: [],
      parameters: z.object({ to: z.enum(["staging", "live"]) }),
      output: z.object({ done: z.boolean() }),
      classify: async ({ to }) =>
        to === "live" ? { tier: "Elevated", reason: "users see it" } : { tier: "Workspace" },
      preview: async ({ to }) => ({ render: `deploys to ${to}`, preconditions: [] }),
      findExisting: async () => null,
      async *execute({ to }, { progress }) {
        yield "building"
        progress("halfway")
        yield "copying"
        log.push(to)
        return { output: { done: true }, display: `Deployed to ${to}` }
      }
    })

  it("has classify, preview and progress, which a program sees", async () => {
    const log: Array<string> = []
    const seen: Array<string> = []
    await using opened = await open(ToolPack.make(deploys(log)), {
      root,
      approve: ({ preview, reason }) => {
        seen.push(`${reason}: ${preview.render}`)
        return true
      },
      rules: ["allow deploy to=staging"]
    })
    const lines: Array<string> = []
    const result = await opened.deploy({ to: "live" }, { onProgress: (line) => void lines.push(line) })
    assert.strictEqual(result.status, "success", JSON.stringify(result))
    assert.deepStrictEqual(lines, ["building", "halfway", "copying"])
    assert.lengthOf(seen, 1)
    assert.match(seen[0], /users see it: deploys to live/)
    await opened.deploy({ to: "staging" })
    assert.deepStrictEqual(log, ["live", "staging"])
  })

  it("runs the finally blocks of a generator whose call is aborted", async () => {
    let released = false
    let started: () => void = () => {}
    const running = new Promise<void>((resolve) => (started = resolve))
    const tool = Tool.fromAsync("endless", {
      ...facts,
      parameters: z.object({}),
      output: z.object({}),
      async *execute(_, { signal }) {
        try {
          yield "begun"
          started()
          await new Promise((resolve) => signal.addEventListener("abort", resolve))
          yield "stopped"
          return { output: {}, display: "" }
        } finally {
          released = true
        }
      }
    })
    await using opened = await open(ToolPack.make(tool), { root })
    const abort = new AbortController()
    const call = opened.endless({}, { signal: abort.signal }).catch((error: unknown) => error)
    await running
    abort.abort(new Error("enough"))
    assert.strictEqual(String(await call), "Error: enough")
    await new Promise((resolve) => setImmediate(resolve))
    assert.isTrue(released)
  })
})

describe("judge", () => {
  const tool = Tool.fromAsync("remove", {
    description: "Removes",
    version: 1,
    tier: "Workspace",
    replay: "Unsafe",
    capabilities: [],
    parameters: z.object({ path: z.string() }),
    output: z.object({}),
    classify: ({ path }) => (path === "all" ? { tier: "Elevated", reason: "it removes all" } : { tier: "Workspace" }),
    preview: ({ path }) => ({ render: `removes ${path}`, preconditions: [] }),
    execute: async () => assert.fail("it ran")
  })

  it("predicts the decision for a call, asks and runs nothing", async () => {
    await using opened = await open(ToolPack.make(tool), {
      root,
      rules: ["deny remove path=locked", "allow remove path=tmp"],
      approve: () => assert.fail("it asked")
    })
    assert.deepInclude(await opened.judge("remove", { path: "all" }), {
      decision: "ask",
      tier: "Elevated",
      preview: "removes all"
    })
    assert.strictEqual((await opened.judge("remove", { path: "tmp" })).decision, "allow")
    const denied = await opened.judge("remove", { path: "locked" })
    assert.isTrue(denied.decision === "deny" && denied.reason.includes("deny remove"))
    const wrong = await opened.judge("remove", {} as { path: string })
    assert.isTrue(wrong.decision === "deny" && wrong.error?._tag === "ValidationError")
    const unknown = await opened.judge("remov" as "remove", { path: "x" })
    assert.isTrue(unknown.decision === "deny" && unknown.reason.includes("remove"))
  })
})

describe("open", () => {
  const shapes = Tool.fromAsync("shapes", {
    ...facts,
    parameters: Schema.Struct({
      at: Schema.Date,
      big: Schema.BigInt,
      names: Schema.ReadonlyMap(Schema.String, Schema.Int)
    }),
    output: Schema.Struct({
      at: Schema.Date,
      big: Schema.BigInt,
      names: Schema.ReadonlyMap(Schema.String, Schema.Int)
    }),
    execute: async (input) => ({ output: input, display: "Same" })
  })
  const input = { at: new Date(0), big: 12345678901234567890n, names: new Map([["a", 1]]) }

  it("takes and returns values of the schemas' types", async () => {
    await using opened = await open(ToolPack.make(shapes), { root })
    const result = await opened.shapes(input)
    assert.strictEqual(result.status, "success")
    if (result.status !== "success") return
    assert.strictEqual(result.result.output.at.getFullYear(), 1970)
    assert.strictEqual(result.result.output.big, input.big)
    assert.deepStrictEqual([...result.result.output.names], [["a", 1]])
  })

  it("arguments that are not JSON are an envelope", async () => {
    await using opened = await open(ToolPack.make(shapes), { root })
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    const hostile = {
      get at() {
        throw new Error("no")
      }
    }
    for (const wrong of [circle, { at: 3n }, hostile, null, [], "x", { ...input, more: 3n }]) {
      const result = await opened.shapes(wrong as never)
      assert.isTrue(result.status === "error" && result.error._tag === "ValidationError")
    }
  })

  it("a call has its own user and approver", async () => {
    const users: Array<string | null> = []
    const tool = Tool.fromAsync("who", {
      ...facts,
      tier: "Elevated",
      replay: "Unsafe",
      parameters: z.object({}),
      output: z.object({}),
      execute: async (_, { invocation }) => {
        users.push(invocation.user)
        return { output: {}, display: "" }
      }
    })
    await using opened = await open(ToolPack.make(tool), { root, user: "ann", approve: () => false })
    assert.strictEqual((await opened.who()).status, "rejected")
    assert.strictEqual((await opened.who({}, { approve: () => true })).status, "success")
    await opened.call("who", {}, { user: "bob", approve: () => true })
    assert.deepStrictEqual(users, ["ann", "bob"])
  })

  it("refuses tools with the names of its own functions", async () => {
    const named = Tool.fromAsync("judge", {
      ...facts,
      parameters: z.object({}),
      output: z.object({}),
      execute: async () => ({ output: {}, display: "" })
    })
    const failure = await open(ToolPack.make(named) as never, { root }).catch(String)
    assert.include(failure, "a tool called judge cannot be opened")
  })
})
