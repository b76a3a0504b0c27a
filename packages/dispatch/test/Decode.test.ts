/** Tests of decoding a model's text into arguments. */
import type { Entry, ToolError } from "@bough/protocol"
import { Canonical, Session } from "@bough/protocol"
import { Tool, ToolSchema } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { thoroughOnly } from "../../../test/thorough.ts"
import { decode } from "../src/Decode.ts"
import type { Call } from "../src/index.ts"
import { Redaction } from "../src/index.ts"
import { Done, done, sessionId } from "./Harness.ts"

const declare = (parameters: Tool.Codec): Tool.Any =>
  Tool.make("edit_thing", {
    version: 1,
    description: "Does it",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters,
    output: Done,
    execute: () => Effect.succeed(done)
  })

const tool = declare(
  Schema.Struct({
    path: Schema.NonEmptyString,
    fromLine: ToolSchema.withDefault(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)), 1),
    edits: Schema.optionalKey(Schema.Array(Schema.Struct({ old: Schema.String, new: Schema.String })))
  })
)

const decoded = (text: string, of = tool, secrets: ReadonlyArray<string> = []) =>
  decode(
    { toolCallId: Session.ToolCallId.make("c"), name: of.name, arguments: text, labels: [], prior: null, tool: of },
    { sessionId, redaction: Redaction.make(secrets) }
  )

const success = (text: string, of = tool): Call.DecodedCall => Result.getOrThrow(decoded(text, of))

const outcome = (text: string, of = tool, secrets: ReadonlyArray<string> = []): Entry.Outcome =>
  Result.match(decoded(text, of, secrets), {
    onSuccess: () => assert.fail("it was taken"),
    onFailure: (stop) => stop.outcome
  })

type Invalid = Extract<ToolError.ToolErrorData, { readonly _tag: "ValidationError" }>

const invalid = (text: string, of = tool): Invalid => {
  const ended = outcome(text, of)
  if (ended._tag !== "Failed" || ended.error._tag !== "ValidationError") return assert.fail(ended._tag)
  return ended.error
}

describe("Decode", () => {
  it("fills in defaults, and digests the canonical form", () => {
    const call = success(' {"path" : "a\\u0062"} ')
    assert.deepStrictEqual(call.parameters, { path: "ab", fromLine: 1 })
    assert.strictEqual(call.canonicalArguments, '{"fromLine":1,"path":"ab"}')
    assert.strictEqual(call.argumentsDigest, Canonical.digestOf({ path: "ab", fromLine: 1 }))
  })

  it("two spellings of the same arguments have one digest", () => {
    assert.strictEqual(
      success('{"path":"a","fromLine":1}').argumentsDigest,
      success('{"fromLine":1.0,"path":"\\u0061"}').argumentsDigest
    )
  })

  it("names the position of malformed JSON, and shows the text around it", () => {
    const error = invalid('{\n  "path": "a",\n  "fromLine" 3\n}')
    assert.strictEqual(
      error.message,
      'edit_thing: malformed JSON at line 3, column 14 (offset 30), at «: "a",\n  "fromLine" ⟶3\n}»: expected ":" after the key'
    )
    assert.isUndefined(error.field)
  })

  it.each([
    ['{"path": "a"', 'expected "," or "}"'],
    ['{"path": "a', "this string does not end"],
    ["{'path': 1}", "expected a key in double quotes"],
    ['{"path": "a",}', "expected a key in double quotes"],
    ['{"path": "a\tb"}', "a control character in a string must be escaped"],
    ['{"path": "\\x41"}', "this escape does not exist in JSON"],
    ['{"path": undefined}', "expected a value"],
    ['{"path": "a"} {}', "expected nothing more"],
    ['{"fromLine": 1e999}', "this number is too big"],
    ['{"path": ', "it ends too early"],
    ['{"__proto__": {}}', 'the key "__proto__" is not allowed']
  ])("refuses %s", (text, what) => {
    assert.include(invalid(text).message, what)
  })

  it("names every duplicate key, at any depth and in any spelling", () => {
    const { issues } = invalid('{"path":"a","p\\u0061th":"b","edits":[{"old":"x","new":"y","old":"z"}]}')
    assert.deepStrictEqual(
      issues.map(({ path }) => path),
      ["path", "edits.0.old"]
    )
    assert.include(issues[1].message, 'the key "old" appears twice')
  })

  it("the same key in two objects is not a duplicate", () => {
    const edits = [
      { old: "a", new: "b" },
      { old: "c", new: "d" }
    ]
    assert.deepStrictEqual(success(JSON.stringify({ path: "a", edits })).parameters, { path: "a", fromLine: 1, edits })
  })

  it("names an unknown key and the nearest known one", () => {
    const error = invalid('{"path":"a","from_line":2}')
    assert.deepStrictEqual(error.issues, [
      { path: "from_line", message: 'unknown key "from_line": did you mean "fromLine"?' }
    ])
    assert.strictEqual(error.field, "from_line")
  })

  it("names an unknown key inside a list, and the known ones", () => {
    assert.deepStrictEqual(invalid('{"path":"a","edits":[{"old":"a","new":"b","everywhere":true}]}').issues, [
      { path: "edits.0.everywhere", message: 'unknown key "everywhere": there are old, new' }
    ])
  })

  it("lists every issue with its path, and gives the schema", () => {
    const error = invalid('{"fromLine":0,"edits":[{"old":1}],"x":1}')
    assert.deepStrictEqual(error.issues.map(({ path }) => path).toSorted(), [
      "edits.0.new",
      "edits.0.old",
      "fromLine",
      "path",
      "x"
    ])
    const ended = outcome("{}")
    assert.isTrue(ended._tag === "Failed" && ended.schema === JSON.stringify(ToolSchema.parameters(tool)))
  })

  it("names the first issue of a list of many wrong values, and every issue of a short one", () => {
    const checked = { count: 0 }
    const Refused = Schema.Number.check(
      Schema.makeFilter(() => {
        checked.count++
        return "Expected another number"
      })
    )
    const list = declare(Schema.Struct({ numbers: Schema.Array(Refused) }))
    const text = (count: number): string => JSON.stringify({ numbers: Array.from({ length: count }, () => 1) })
    assert.strictEqual(invalid(text(100_000), list).issues.length, 1)
    assert.isBelow(checked.count, 20)
    assert.strictEqual(invalid(text(3), list).issues.length, 3)
  })

  it("does not treat null as absence", () => {
    assert.deepStrictEqual(
      invalid('{"path":"a","fromLine":null}').issues.map(({ path }) => path),
      ["fromLine"]
    )
  })

  it.each(["[]", "null", '"path"', "3"])("refuses %s: arguments are an object", (text) => {
    assert.include(invalid(text).message, "must be a JSON object")
  })

  it("treats empty text as no arguments", () => {
    assert.deepStrictEqual(success("", declare(Schema.Struct({}))).parameters, {})
  })

  it("names an unknown key of a tool that takes none", () => {
    assert.deepStrictEqual(invalid('{"a":1}', declare(Schema.Struct({}))).issues, [
      { path: "a", message: 'unknown key "a": there are none' }
    ])
  })

  it("refuses infinitely nested arguments instead of overflowing the stack", () => {
    assert.include(invalid("[".repeat(100_000)).message, "nested deeper than")
  })

  it("accepts a long text", thoroughOnly, () => {
    const path = '\n"é'.repeat(1_000_000)
    assert.strictEqual((success(JSON.stringify({ path })).parameters as { path: string }).path, path)
  })

  it.each(["hunter2-token", "hunt\\u0065r2-token"])("refuses a known secret spelt %s without repeating it", (spelt) => {
    const ended = outcome(`{"path":"${spelt}"}`, tool, ["hunter2-token"])
    assert.isTrue(ended._tag === "Failed" && ended.error._tag === "PermissionDenied")
    assert.notInclude(JSON.stringify(ended), "hunter2-token")
  })

  it("refuses a known secret that only the canonical form spells", () => {
    const pin = declare(Schema.Struct({ pin: Schema.Number }))
    assert.include(JSON.stringify(outcome('{"pin":8.150937264e9}', pin, ["8150937264"])), "hold a secret")
    assert.strictEqual(success('{"pin":8.150937264e9}', pin).canonicalArguments, '{"pin":8150937264}')
  })

  it("refuses a known secret even in text that cannot be decoded", () => {
    const ended = outcome('{"path" "hunter2-token"', tool, ["hunter2-token"])
    assert.isTrue(ended._tag === "Failed" && ended.error._tag === "PermissionDenied")
  })

  it("decodes through the schema: the handler gets a Date, the record its text", () => {
    const call = success('{"at":"2026-01-02T03:04:05.000Z"}', declare(Schema.Struct({ at: Schema.Date })))
    assert.instanceOf((call.parameters as { at: Date }).at, Date)
    assert.strictEqual(call.canonicalArguments, '{"at":"2026-01-02T03:04:05.000Z"}')
  })
})
