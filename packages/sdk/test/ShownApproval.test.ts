/** Tests of approvals that are bound to a judgement, on a real file that the preview reads. */
import { Capability, Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { approveShown, open } from "../src/index.ts"

const replace = Tool.make("replace_file", {
  description: "Replace a file",
  version: 1,
  tier: "Elevated",
  replay: "Unsafe",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({ path: Schema.String, text: Schema.String }),
  output: Schema.Struct({}),
  // The render is the same for every content of the file: its digest is a precondition.
  preview: Effect.fnUntraced(function* ({ path, text }) {
    const workspace = yield* Capability.WorkspaceRead
    const { digest } = yield* workspace.readFile(path, 1_000)
    return { render: `${path} becomes ${text}`, preconditions: [{ _tag: "FileDigest", path, digest }] }
  }),
  execute: Effect.fnUntraced(function* ({ path, text }) {
    const workspace = yield* Capability.WorkspaceWrite
    yield* workspace.writeFile(path, new TextEncoder().encode(text))
    return Tool.result({ output: {}, display: "Done" })
  })
})

const opened = async () => {
  const root = mkdtempSync(join(tmpdir(), "bough-shown-"))
  const file = join(root, "a.txt")
  writeFileSync(file, "before")
  const tools = await open(ToolPack.make(replace), { root })
  const judged = await tools.judge("replace_file", { path: "a.txt", text: "after" })
  if (judged.decision !== "ask") return assert.fail(judged.decision)
  return {
    file,
    approve: approveShown(judged.digest),
    call: (text: string, approve = approveShown(judged.digest)) =>
      tools.replace_file({ path: "a.txt", text }, { approve }),
    async [Symbol.asyncDispose]() {
      await tools[Symbol.asyncDispose]()
      rmSync(root, { recursive: true })
    }
  }
}

describe("approveShown", () => {
  it("approves the call that was judged", async () => {
    await using world = await opened()
    assert.strictEqual((await world.call("after")).status, "success")
    assert.strictEqual(readFileSync(world.file, "utf8"), "after")
  })

  it("denies the call with other arguments", async () => {
    await using world = await opened()
    const envelope = await world.call("other")
    assert.include(
      envelope.status === "rejected" ? envelope.userMessage : envelope.status,
      "differs from the approved one"
    )
    assert.strictEqual(readFileSync(world.file, "utf8"), "before")
  })

  it("denies the call once a fact behind the preview has changed", async () => {
    await using world = await opened()
    writeFileSync(world.file, "changed")
    assert.strictEqual((await world.call("after")).status, "rejected")
    assert.strictEqual(readFileSync(world.file, "utf8"), "changed")
  })

  it("reports that a host of a running call was not approved", async () => {
    await using world = await opened()
    const requests: Array<Parameters<typeof world.approve>[0]> = []
    await world.call("after", (request) => {
      requests.push(request)
      return false
    })
    const answer = await world.approve({ ...requests[0], reaches: "https://example.com" })
    assert.include(typeof answer === "object" ? answer.denied : answer, "https://example.com")
  })
})
