/** Tests of the options of `open`: a memory, a network, a channel, and approvals that lapse after writes. */
import { MemoryPack } from "@bough/pack-memory"
import { SessionPack } from "@bough/pack-session"
import { WebPack } from "@bough/pack-web"
import { Capability, Tool, ToolPack } from "@bough/tool"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { open } from "../src/index.ts"

let folder = ""
let root = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bough-brought-"))
  root = join(folder, "workspace")
  mkdirSync(root)
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const outputOf = <Output>(envelope: {
  readonly status: string
  readonly result?: { readonly output: Output }
}): Output => {
  assert.strictEqual(envelope.status, "success", JSON.stringify(envelope))
  return (envelope.result as { readonly output: Output }).output
}

describe("the memory of an opened pack", () => {
  const openMemory = (memory: { readonly directory?: string; readonly user?: string } = {}) =>
    open(MemoryPack.all, { root, memory: { directory: join(folder, "home"), ...memory } })

  it("persists when the pack is opened again, and is its user's alone", async () => {
    {
      await using tools = await openMemory({ user: "ann" })
      outputOf(await tools.save_memory({ content: "The boiler is serviced in October" }))
    }
    await using tools = await openMemory({ user: "ann" })
    const found = outputOf(await tools.search_memory({ query: "boiler" }))
    assert.include(JSON.stringify(found.results), "serviced in October")
    const others = outputOf(await tools.search_memory({ query: "boiler" }, { user: "ben" }))
    assert.deepStrictEqual(others.results, [])
  })

  it("has files, a scratchpad and earlier sessions", async () => {
    await using tools = await openMemory({ user: "ann" })
    outputOf(await tools.write_memory_file({ path: "house.md", content: "> Summary: the house\n\nIt is old." }))
    assert.include(JSON.stringify(outputOf(await tools.list_memory_files())), "house.md")
    outputOf(await tools.write_scratchpad({ items: ["paint the door"] }))
    assert.include(JSON.stringify(outputOf(await tools.read_scratchpad())), "paint the door")
    outputOf(await tools.list_tasks())
  })

  it("saves nothing without a user, and names the fix", async () => {
    await using tools = await openMemory()
    const envelope = await tools.save_memory({ content: "The boiler is serviced in October" })
    assert.include(JSON.stringify(envelope), "memory is stored per user")
    outputOf(await tools.save_memory({ content: "The boiler is serviced in October" }, { user: "ann" }))
  })

  it("reports in the call that it could not be opened", async () => {
    writeFileSync(join(folder, "file"), "")
    await using tools = await openMemory({ directory: join(folder, "file"), user: "ann" })
    const envelope = await tools.search_memory({ query: "boiler" })
    assert.include(JSON.stringify(envelope), `the memory in ${join(folder, "file")} cannot be opened: `)
  })
})

it("opening loads nothing of a memory or a network that no call has used", thoroughOnly, () => {
  const program = `
    import { registerHooks } from "node:module"
    const loaded = new Set()
    registerHooks({
      resolve: (specifier, context, next) => {
        const resolved = next(specifier, context)
        loaded.add(resolved.url)
        return resolved
      }
    })
    const { open } = await import("@bough/sdk")
    const { MemoryPack } = await import("@bough/pack-memory")
    const options = ${JSON.stringify({ root, network: {}, memory: { directory: join(folder, "home"), user: "ann" } })}
    await using tools = await open(MemoryPack.all, options)
    const before = [...loaded]
    await tools.list_memory_files()
    console.log(JSON.stringify([before, [...loaded]]))`
  const ended = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    encoding: "utf8"
  })
  const [before, after] = JSON.parse(ended.stdout) as ReadonlyArray<ReadonlyArray<string>>
  const late =
    /packages\/(?:memory|runtime|store-sqlite)\/|packages\/network\/src\/(?!proxy\/CommandProxy|Network|Limits)|lancedb/u
  assert.deepStrictEqual(
    before.filter((url) => late.test(url)),
    []
  )
  assert.isTrue(after.some((url) => url.includes("packages/memory/")))
  assert.isFalse(after.some((url) => url.includes("lancedb")))
})

it("the network of an opened pack is the one of its options", async () => {
  const server = createServer((_, response) => response.end("from here")).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  try {
    await using shut = await open(WebPack.all, { root, network: {} })
    assert.strictEqual((await shut.http_get({ url })).status, "rejected")
    await using tools = await open(WebPack.all, { root, network: { allow: [{ host: "127.0.0.1", port }] } })
    assert.include(JSON.stringify(outputOf(await tools.http_get({ url }))), "from here")
  } finally {
    server.close()
  }
})

it("messages of an opened pack reach the program's function", async () => {
  const lines: Array<string> = []
  const { tools: session } = SessionPack.all
  const pack = ToolPack.make(session.send_message)
  await using tools = await open(pack, { root, channel: (text) => void lines.push(text) })
  outputOf(await tools.send_message({ text: "half way" }))
  assert.deepStrictEqual(lines, ["half way"])
  await using broken = await open(pack, { root, channel: () => Promise.reject(new Error("no window")) })
  assert.include(JSON.stringify(await broken.send_message({ text: "x" })), "channel failed: Error: no window")
})

describe("an approval of a command outside any sandbox", () => {
  const facts = {
    version: 1,
    description: "Acts",
    replay: "Unsafe",
    parameters: Schema.Struct({}),
    output: Schema.Struct({})
  } as const
  const done = Tool.result({ output: {}, display: "Done" })
  const run = Tool.make("run_it", {
    ...facts,
    tier: "System",
    capabilities: [Capability.Execution],
    execute: () => Effect.flatMap(Capability.Execution, (commands) => Effect.as(commands.run("true"), done))
  })
  const write = Tool.make("write_it", {
    ...facts,
    tier: "Workspace",
    capabilities: [Capability.WorkspaceWrite],
    execute: () => Effect.succeed(done)
  })
  const read = Tool.make("read_it", {
    ...facts,
    tier: "ReadOnly",
    capabilities: [Capability.WorkspaceRead],
    execute: () => Effect.succeed(done)
  })

  it.each([
    ["write_it", 2],
    ["read_it", 1]
  ] as const)("after %s is requested %i times", async (between, expected) => {
    let askCount = 0
    await using tools = await open(ToolPack.make(run, write, read), {
      root,
      execution: { backend: "host" },
      approve: async () => {
        askCount += 1
        if (askCount === 1) outputOf(await tools[between]())
        return true
      }
    })
    outputOf(await tools.run_it())
    assert.strictEqual(askCount, expected)
  })
})
