/** Tests of any result or error of a handler: one typed error or a complete result, never a defect. */
import { Artifact, Canonical, Entry, Message, ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { chosenOf, thorough, thoroughOnly } from "../../../test/thorough.ts"
import { requestFor, type Setting, world } from "./Harness.ts"

const cyclic: Record<string, unknown> = {}
cyclic["self"] = cyclic

const raise = (thrown: unknown): never => {
  throw thrown
}

const unspeakable = { toString: () => raise("no words") }

const mute = Object.defineProperty(new Error("x"), "message", { get: () => raise("no message") })

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const throwing = (name: string): object => ({
  output: {},
  display: "ok",
  get [name]() {
    throw new Error("read")
  }
})

const loose = (execute: () => unknown, output: Tool.Codec = Schema.Unknown): Tool.Any =>
  Tool.make("loose", {
    version: 1,
    description: "Returns anything",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: Schema.Struct({}),
    output,
    execute: execute as never
  })

const end = (tool: Tool.Any, setting: Partial<Setting> = {}) =>
  Effect.gen(function* () {
    const { outcome, receipt } = yield* world({ tools: [tool], ...setting }).end(requestFor(tool.name))
    // The journal decodes the recorded result.
    yield* Schema.decodeUnknownEffect(Entry.Outcome, { onExcessProperty: "error" })(JSON.parse(JSON.stringify(outcome)))
    return { outcome, receipt }
  })

const bugOf = (outcome: Entry.Outcome): string => {
  const error = outcome._tag === "Failed" ? outcome.error : assert.fail(outcome._tag)
  assert.strictEqual(error._tag, "ExecutionError")
  const text = ToolError.describe(error)
  assert.include(text, "a bug in the tool loose: ")
  return text
}

const succeededOf = (outcome: Entry.Outcome): Entry.SuccessOutcome =>
  outcome._tag === "Succeeded" ? outcome : assert.fail(JSON.stringify(outcome))

const nested = (levels: number): unknown => {
  let value: unknown = 0
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

const declared = (data: unknown): object => ({ _tag: "Declared", kind: "acme/Rows", data })

const hidden = `\ud800hunter2-hunter2${"x".repeat(100_000)}`

const longest = { _tag: "FileDeleted", path: "x".repeat(100) }

const written = { _tag: "FileWritten", path: "a", bytes: 1, digest: "sha256:0" }

describe("the result of a handler", () => {
  const results: ReadonlyArray<readonly [what: string, returned: unknown, says: string]> = [
    ["undefined", undefined, "it returned undefined"],
    ["null", null, "it returned null"],
    ["a string", "done", "it returned a string"],
    ["a function", () => 1, "it returned a function"],
    ["an array", [{}], "it returned an array"],
    ["nothing", {}, "it returned an object without output"],
    ["no display", { output: {} }, "display: is missing"],
    ["a number as display", { output: {}, display: 3 }, "display: Expected string"],
    ["a symbol as display", { output: {}, display: Symbol("x") }, "display: Expected string"],
    ["details that are not text", { output: {}, display: "", details: ["x"] }, "details: Expected string"],
    ["artifacts that are not a list", { output: {}, display: "", artifacts: "x" }, "artifacts: Expected array"],
    [
      "a fraction of a byte",
      { output: {}, display: "", artifacts: [{ ...written, bytes: 1.5 }] },
      "artifacts.0.bytes: Expected an integer"
    ],
    [
      "a status that is not a number",
      { output: {}, display: "", artifacts: [{ _tag: "RequestSent", method: "GET", url: "x", status: NaN }] },
      "artifacts.0.status"
    ],
    ["an unknown artifact", { output: {}, display: "", artifacts: [{ _tag: "Party" }] }, "artifacts.0"],
    [
      "media of no type",
      { output: {}, display: "", media: [{ mediaType: 3, data: "AAAA" }] },
      "media.0.mediaType: Expected"
    ],
    [
      "media of a type that no model takes",
      { output: {}, display: "", media: [{ mediaType: "text/html", data: "AAAA" }] },
      "media.0.mediaType: Expected"
    ],
    [
      "media that are not base64",
      { output: {}, display: "", media: [{ mediaType: "image/png", data: "<svg>" }] },
      "media.0.data: Expected base64"
    ],
    [
      "empty media",
      { output: {}, display: "", media: [{ mediaType: "image/png", data: "" }] },
      "media.0.data: Expected base64"
    ],
    ["discovered numbers", { output: {}, display: "", discoveredUrls: [3] }, "discoveredUrls.0: Expected string"],
    ["a cycle", { output: cyclic, display: "" }, "its "],
    ["a function inside", { output: { f: () => 1 }, display: "" }, "its output does not fit its schema"],
    ["NaN inside", { output: { n: NaN }, display: "" }, "its output does not fit its schema"],
    ["a symbol inside", { output: Symbol("x"), display: "" }, "its output does not fit its schema"],
    ["a bigint inside", { output: 3n, display: "" }, "its output does not fit its schema"],
    ["a getter that throws: output", throwing("output"), "its result cannot be read: Error: read"],
    ["a getter that throws: display", throwing("display"), "its result cannot be read: Error: read"],
    ["a getter that throws: artifacts", throwing("artifacts"), "its result cannot be read: Error: read"],
    [
      "a proxy that throws",
      new Proxy({}, { has: () => assert.fail("has") }),
      "its result cannot be read: AssertionError: has"
    ],
    ["a revoked proxy", revoked(), "its result cannot be read: TypeError"],
    ["a date as details", { output: {}, display: "", details: new Date(0) }, "details: Expected string"],
    ["a hole in its artifacts", { output: {}, display: "", artifacts: Array(1) }, "artifacts.0"],
    [
      "more artifacts than a receipt holds",
      { output: {}, display: "", artifacts: Array.from({ length: 50_000 }, () => longest) },
      "4 MiB"
    ],
    [
      "a path longer than a receipt",
      { output: {}, display: "", artifacts: [{ ...longest, path: "x".repeat(5_000_000) }] },
      "4 MiB"
    ],
    [
      "an artifact too deep to be written",
      { output: {}, display: "", artifacts: [declared(nested(100_000))] },
      "64 levels"
    ],
    ["an output too deep to be written", { output: nested(100_000), display: "" }, "its result cannot be read"]
  ]

  it.effect.each(chosenOf(results, (index) => results[index]?.[2] !== "4 MiB"))(
    "is reported as a bug of the tool, for any result: %s",
    ([, returned, says]) =>
      Effect.gen(function* () {
        const { outcome, receipt } = yield* end(loose(() => Effect.succeed(returned)))
        assert.include(bugOf(outcome), says)
        assert.isNotNull(receipt)
      }),
    thorough
  )

  const swallowed: ReadonlyArray<readonly [what: string, value: unknown, says: string]> = [
    ["NaN", NaN, "Expected JSON value: it is NaN"],
    ["an endless number", [Infinity], "0: Expected JSON value: it is Infinity"],
    ["a hole in a list", Array(2), "Expected JSON value: an item is undefined"],
    ["a Map", { a: new Map([[1, 2]]) }, "a: Expected JSON value: it is a Map"],
    ["a Set", new Set([1]), "Expected JSON value: it is a Set"],
    ["a date that is none", { at: new Date(NaN) }, "at: Expected JSON value: it is an invalid date"],
    ["a promise", { a: Promise.resolve(1) }, "a: Expected JSON value: it is a promise"],
    ["an error", { a: new Error("x") }, "a: Expected JSON value: it is an Error"],
    ["bytes", new Uint8Array([1]), "Expected JSON value: it is bytes"],
    ["shared bytes", { a: new SharedArrayBuffer(1) }, "a: Expected JSON value: it is bytes"],
    ["a pattern", { a: /x/u }, "a: Expected JSON value: it is an object of JavaScript"],
    ["a boxed number", { a: Object(NaN) }, "a: Expected JSON value: it is an object of JavaScript"]
  ]

  it.effect.each(swallowed)("a schema that accepts everything does not lose %s", ([, value, says]) =>
    Effect.map(end(loose(() => Effect.succeed({ output: value, display: "" }), Schema.Any)), ({ outcome }) =>
      assert.include(bugOf(outcome), `its output does not fit its schema: ${says}`)
    )
  )

  const handlers: ReadonlyArray<readonly [what: string, execute: () => unknown, says: string]> = [
    ["returns no Effect", () => undefined, ""],
    ["returns a promise", () => Promise.resolve(1), ""],
    ["throws a string", () => raise("oops"), "oops"],
    ["throws nothing", () => raise(undefined), "undefined"],
    ["throws what cannot be shown", () => raise(unspeakable), "cannot be shown"],
    ["throws an object of no prototype", () => raise(Object.create(null)), "cannot be shown"],
    ["throws an error whose message throws", () => raise(mute), "cannot be shown"],
    ["dies of what cannot be shown", () => Effect.die(unspeakable), "cannot be shown"],
    ["fails with what cannot be shown", () => Effect.fail(unspeakable), "cannot be shown"],
    ["fails with a revoked proxy", () => Effect.fail(revoked()), ""],
    ["throws a symbol", () => raise(Symbol("x")), "Symbol(x)"],
    ["throws a long text", () => raise("x".repeat(100_000)), "xxx"]
  ]

  it.effect.each(handlers)("is reported as a bug of the tool, for any failure: %s", ([, execute, says]) =>
    Effect.map(end(loose(execute)), ({ outcome }) => {
      assert.include(bugOf(outcome), says)
      assert.isBelow(JSON.stringify(outcome).length, 20_000)
    })
  )

  it.effect("effects of the call stay recorded if the rest of the result is invalid", () =>
    Effect.gen(function* () {
      const artifacts = [
        written,
        { ...written, bytes: -1 },
        { _tag: "Party" },
        null,
        { ...written, path: "b", more: 1 }
      ]
      const { outcome, receipt } = yield* end(loose(() => Effect.succeed({ output: {}, display: 3, artifacts })))
      bugOf(outcome)
      assert.deepStrictEqual(receipt?.artifacts, [written, { ...written, path: "b" }] as never)
    })
  )

  it.effect(
    "as many artifacts of an invalid result are kept as a receipt can hold",
    () =>
      Effect.gen(function* () {
        const artifacts = [written, declared(nested(100_000)), ...Array.from({ length: 50_000 }, () => longest)]
        const { outcome, receipt } = yield* end(loose(() => Effect.succeed({ output: {}, display: 3, artifacts })))
        bugOf(outcome)
        assert.deepStrictEqual(receipt?.artifacts[0], written as never)
        assert.isAbove(receipt?.artifacts.length ?? 0, 10_000)
        assert.isBelow(JSON.stringify(receipt).length, 5_000_000)
      }),
    thoroughOnly
  )

  const cases: ReadonlyArray<readonly [what: string, error: ToolError.ToolError]> = [
    ["the field of arguments", new ToolError.ValidationError({ message: "m", field: hidden, issues: [] })],
    ["an issue", new ToolError.ValidationError({ message: "m", issues: [{ path: hidden, message: hidden }] })],
    ["words of a person", new ToolError.PermissionDenied({ tier: "System", reason: "r", userMessage: hidden })],
    ["a reason", new ToolError.PermissionDenied({ tier: "System", reason: hidden })],
    ["a hint", new ToolError.ExecutionError({ message: "m", hint: hidden })]
  ]

  it.effect.each(cases)("no field of an error escapes redaction and its limit: %s", ([, error]) =>
    Effect.gen(function* () {
      const { outcome } = yield* end(
        loose(() => Effect.fail(error)),
        { secrets: ["hunter2-hunter2"] }
      )
      const text = JSON.stringify(outcome)
      assert.notInclude(text, "hunter2")
      assert.include(text, "[redacted]")
      assert.isBelow(text.length, 40_000)
      assert.notInclude(text, "ud800")
    })
  )

  const Named = Schema.Struct({ name: Schema.String, at: Schema.optionalKey(Schema.Struct({ x: Schema.Finite })) })

  it.effect("undeclared keys are dropped, and the model and the user are told", () =>
    Effect.gen(function* () {
      const returned = {
        output: { name: "a", at: { x: 1, y: 2 }, more: true },
        display: "Done",
        details: "details",
        artefacts: [],
        artifacts: [{ ...written, mode: 3 }]
      }
      const { outcome, receipt } = yield* end(loose(() => Effect.succeed(returned), Named))
      const { details, output, text } = succeededOf(outcome)
      assert.deepStrictEqual(JSON.parse(output), { name: "a", at: { x: 1 } })
      for (const told of [text, details]) {
        assert.include(told, "[dropped: the tool's schema does not declare ")
        for (const name of ["artefacts", "artifacts.0.mode", "output.at.y", "output.more"]) assert.include(told, name)
      }
      assert.deepStrictEqual(receipt?.artifacts, [written] as never)
    })
  )

  it.effect("halves of characters reach no provider", () =>
    Effect.gen(function* () {
      const returned = { output: "a\ud800b", display: "\udc00", details: "\ud800", discoveredUrls: ["\ud800"] }
      const { outcome } = yield* end({ ...loose(() => Effect.succeed(returned)), forModel: (output: string) => output })
      const { details, display, found, text } = succeededOf(outcome)
      for (const told of [text, display, details, found?.[0]]) assert.isTrue(told?.isWellFormed())
      assert.strictEqual(text, "a\ufffdb")
    })
  )

  it.effect("is copied once: later changes of the handler's object have no effect", () =>
    Effect.gen(function* () {
      const artifacts = [{ ...written }]
      const { receipt } = yield* end(loose(() => Effect.succeed({ output: {}, display: "", artifacts })))
      artifacts[0].bytes = -3
      assert.deepStrictEqual(receipt?.artifacts, [written] as never)
    })
  )

  const anything = Schema.Struct({
    output: Schema.Json,
    display: Schema.Union([Schema.String, Schema.Json]),
    artifacts: Schema.Array(Schema.Union([Artifact.Artifact, Schema.Json])),
    media: Schema.optionalKey(Schema.Array(Message.Media)),
    discoveredUrls: Schema.optionalKey(Schema.Array(Schema.Union([Schema.String, Schema.Finite])))
  })

  it.effect.prop("for any value the recorded result can be decoded", [anything], ([returned]) =>
    Effect.gen(function* () {
      const { outcome, receipt } = yield* end(loose(() => Effect.succeed(returned)))
      assert.oneOf(outcome._tag, ["Succeeded", "Failed"])
      for (const artifact of receipt?.artifacts ?? []) {
        yield* Schema.decodeUnknownEffect(Artifact.Artifact, { onExcessProperty: "error" })(artifact)
      }
    })
  )
})

describe("forModel", () => {
  const rendering = (forModel: unknown, output: unknown = { a: 1 }): Tool.Any => ({
    ...loose(() => Effect.succeed({ output, display: "" })),
    forModel: forModel as never
  })

  const faults: ReadonlyArray<readonly [what: string, forModel: () => unknown, says: string]> = [
    ["throws", () => raise(new Error("boom")), "forModel failed: Error: boom"],
    ["throws what cannot be shown", () => raise(unspeakable), "forModel failed: "],
    ["returns nothing", () => undefined, "forModel returned undefined, not a string"],
    ["returns a number", () => 3, "forModel returned a number, not a string"],
    ["returns a promise", () => Promise.resolve("x"), "forModel returned an object"],
    ["returns a text object", () => new String("x"), "forModel returned an object"]
  ]

  it.effect.each(faults)("is reported as a bug of the tool if it %s", ([, forModel, says]) =>
    Effect.map(end(rendering(forModel)), ({ outcome }) => assert.include(bugOf(outcome), says))
  )

  it.effect("the text goes to the model, the typed output to the journal, and digests cover both", () =>
    Effect.gen(function* () {
      const { outcome, receipt } = yield* end(rendering(({ a }: { readonly a: number }) => `a is ${a}`))
      const succeeded = succeededOf(outcome)
      assert.strictEqual(Entry.modelText(succeeded), "a is 1")
      assert.strictEqual(succeeded.output, '{"a":1}')
      assert.strictEqual(receipt?.outputDigest, Canonical.digest('{"a":1}'))
      assert.strictEqual(receipt?.textDigest, Canonical.digest("a is 1"))
    })
  )

  it.effect("without it the model reads the output, and the receipt has one digest", () =>
    Effect.gen(function* () {
      const { outcome, receipt } = yield* end(loose(() => Effect.succeed({ output: { a: 1 }, display: "" })))
      assert.strictEqual(Entry.modelText(succeededOf(outcome)), '{"a":1}')
      assert.notProperty(receipt, "textDigest")
      assert.notProperty(outcome, "text")
    })
  )

  it.effect("secrets are in neither of the two", () =>
    Effect.gen(function* () {
      const tool = rendering((output: unknown) => `it says ${String(output)}`, "hunter2-hunter2")
      const { outcome } = yield* end(tool, { secrets: ["hunter2-hunter2"] })
      const { output, text } = succeededOf(outcome)
      assert.strictEqual(text, "it says [redacted]")
      assert.strictEqual(output, '"[redacted]"')
    })
  )

  it.effect("the full text of both goes to blobs, and each tool has its own limit", () =>
    Effect.gen(function* () {
      const tool = { ...rendering(String, "y".repeat(40_000)), maxModelBytes: 20_000 }
      const setting = world({ tools: [tool] })
      const { outcome, receipt } = yield* setting.end(requestFor("loose"))
      const { output, outputBlob, text, textBlob } = succeededOf(outcome)
      assert.strictEqual(Buffer.byteLength(text ?? ""), 20_000)
      assert.include(text, `read_file with path "blob:${textBlob}" pages through the whole`)
      assert.isBelow(output.length, 2000)
      assert.strictEqual(receipt?.textDigest, textBlob)
      assert.strictEqual(receipt?.outputDigest, outputBlob)
      const spilled = setting.records.spilled.map((bytes) => new TextDecoder().decode(bytes))
      assert.sameMembers(spilled, ["y".repeat(40_000), JSON.stringify("y".repeat(40_000))])
    })
  )

  it.effect.each([0, -1, NaN, Infinity, 10])("a limit of %s bytes does not lose the marker", (maxModelBytes) =>
    Effect.gen(function* () {
      const { outcome } = yield* end({ ...rendering(String, "y".repeat(40_000)), maxModelBytes })
      assert.include(succeededOf(outcome).text, "[output truncated — original size: 40000 bytes]")
    })
  )
})
