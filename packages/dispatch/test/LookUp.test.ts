/** Tests of finding a tool by name, and of the message if there is none. */
import { type Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { nearest } from "../src/internal/NearNames.ts"
import { lookUp } from "../src/LookUp.ts"
import { requestFor } from "./Harness.ts"
import { readFile, writeFile } from "./Tools.ts"

const registry = new Map<string, Tool.Any>([
  [readFile.name, readFile],
  [writeFile.name, writeFile]
])

const caller = { registry, context: ToolContext.empty("Worker") }

const complaint = (name: string): string =>
  Result.match(lookUp(requestFor(name), caller), {
    onSuccess: () => assert.fail("it was found"),
    onFailure: ({ outcome }) =>
      outcome._tag === "Failed" && outcome.error._tag === "ValidationError" ? outcome.error.message : assert.fail()
  })

describe("LookUp", () => {
  it("finds a tool by its full name", () => {
    assert.strictEqual(Result.getOrThrow(lookUp(requestFor("read_file"), caller)).tool, readFile)
  })

  it.each(["raed_file", "readFile", "file_read", "read", "Read_File"])("for %s it names read_file first", (name) => {
    assert.strictEqual(complaint(name).split("nearest: ")[1]?.split(",")[0], "read_file")
  })

  it.each(["toString", "__proto__", "", "frobnicate"])("finds nothing for %j and suggests nothing", (name) => {
    assert.strictEqual(complaint(name), `unknown tool ${JSON.stringify(name)}`)
  })

  it.each([
    ["cat", "read_file"],
    ["str_replace_editor", null],
    ["create_file", "write_file"],
    ["WRITE", "write_file"],
    ["bash", null]
  ])("%s is known from other agents: it suggests %s, if the session has it", (name, ours) => {
    assert.strictEqual(complaint(name).split("nearest: ")[1]?.split(",")[0] ?? null, ours)
  })

  it("a tool that only other session kinds have is refused, with their names", () => {
    const refusal = (kinds: ReadonlyArray<"Main" | "Branch">) =>
      Result.match(lookUp(requestFor("sql"), { ...caller, elsewhere: () => ({ tier: "Elevated", kinds }) }), {
        onSuccess: () => assert.fail("it was found"),
        onFailure: ({ outcome }) => (outcome._tag === "Failed" ? outcome.error : assert.fail())
      })
    assert.deepStrictEqual<unknown>(refusal(["Main", "Branch"]), {
      _tag: "PermissionDenied",
      tier: "Elevated",
      reason: "this Worker session does not hold sql: held by Main, Branch"
    })
    assert.include(JSON.stringify(refusal([])), "held by another kind of session")
  })

  it("a swap of neighbouring letters is near", () => {
    assert.deepStrictEqual(nearest("ba", ["ab", "abcdef"], 3), ["ab"])
  })
})
