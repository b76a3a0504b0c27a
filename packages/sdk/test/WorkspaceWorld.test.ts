/** The conformance kit over the worlds that a pack's author gets, with sound tools and broken ones. */
import { Capability, Tool, ToolPack } from "@bough/tool"
import { packSpec, type PackSpecOptions, Worlds } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { workspaceWorld } from "../src/testing.ts"

const output = Schema.Struct({ done: Schema.Boolean })

/** Saves a line as a note and as a file. */
const save = () =>
  Tool.make("save_line", {
    description: "Saves a line",
    version: 1,
    tier: "Workspace",
    replay: "Unsafe",
    capabilities: [Capability.MemoryWrite, Capability.WorkspaceWrite],
    parameters: Schema.Struct({ line: Schema.NonEmptyString }),
    output,
    execute: Effect.fnUntraced(function* ({ line }) {
      const memory = yield* Capability.MemoryWrite
      const workspace = yield* Capability.WorkspaceWrite
      yield* memory.save({ text: line, kind: "fact", tags: [], secrets: "refuse" })
      yield* workspace.writeFile("line.txt", Buffer.from(line))
      return Tool.result({ output: { done: true }, display: "Saved" })
    })
  })

const faults = async (tool: Tool.Any, options: PackSpecOptions): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const { rule, run } of packSpec(ToolPack.make(tool as never), options)) {
    await run().catch((error: unknown) => found.push(`${rule}: ${String(error)}`))
  }
  return found
}

const provide = () =>
  workspaceWorld({ files: { "a.txt": "one\n", "sub/empty/": "" } }).then((world) =>
    Worlds.join(world, Worlds.memory({ notes: ["Tea is preferred"] }))
  )

const samples = { save_line: [{ line: "milk" }] }

describe("worlds of the conformance kit", () => {
  it("let a tool succeed that writes files and notes, and show its effects", async () => {
    assert.deepStrictEqual(await faults(save(), { provide, samples }), [])
    const world = await provide()
    assert.deepStrictEqual(readdirSync(world.root ?? "", { recursive: true, encoding: "utf8" }).toSorted(), [
      "a.txt",
      "sub",
      "sub/empty"
    ])
    await world.dispose?.()
    assert.isFalse(existsSync(world.root ?? ""))
  })

  it("find a tool that reports success although a write failed", async () => {
    const careless = Tool.make("save_line", {
      ...facts,
      execute: ({ line }) =>
        Effect.flatMap(Capability.WorkspaceWrite, (workspace) =>
          Effect.as(
            Effect.ignore(workspace.writeFile("line.txt", Buffer.from(line))),
            Tool.result({ output: { done: true }, display: "Saved" })
          )
        )
    })
    const found = await faults(careless, { provide, samples })
    assert.lengthOf(found, 1)
    assert.match(found[0] ?? "", /^failures at every call are answered: .*writeFile/u)
  })

  it.skipIf(requires("git").skip)("have a repository with its branches if they are named", async () => {
    const world = await workspaceWorld({
      files: { "a.txt": "one\n" },
      branches: ["main", "other"],
      environment: process.env
    })
    const git = world.provisions?.find(({ capability }) => capability.key === Capability.RepositoryRead.key)
    const repository = git?.provided.make({} as never, () => {}) as Capability.RepositoryRead["Service"]
    const branches = await Effect.runPromise(repository.branches(10))
    assert.deepStrictEqual(
      branches.map(({ name }) => name),
      ["main", "other"]
    )
    await world.dispose?.()
  })

  it.skipIf(requires("git").skip)("have equal repositories for equal content, and share no file", async () => {
    const content = { files: { "a.txt": "one\n", "b.bin": Buffer.of(0, 255) }, branches: ["trunk"] }
    const worlds = [
      await workspaceWorld({ ...content, environment: process.env }),
      await workspaceWorld({ ...content, environment: process.env }),
      await workspaceWorld({ ...content, files: { "a.txt": "two\n" }, environment: process.env })
    ]
    const git = (index: number, ...args: ReadonlyArray<string>) =>
      execFileSync("git", args, { cwd: worlds[index]?.root ?? "", encoding: "utf8" })
    writeFileSync(join(worlds[0]?.root ?? "", "a.txt"), "changed\n")
    git(0, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "second")
    assert.strictEqual(git(1, "status", "--porcelain"), "")
    assert.strictEqual(git(1, "rev-parse", "HEAD"), git(0, "rev-parse", "HEAD~"))
    assert.strictEqual(git(1, "fsck", "--strict"), "")
    assert.strictEqual(git(2, "show", "HEAD:a.txt"), "two\n")
    for (const world of worlds) await world.dispose?.()
  })
})

const facts = {
  description: "Saves a line",
  version: 1,
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.WorkspaceWrite],
  parameters: Schema.Struct({ line: Schema.NonEmptyString }),
  output
} as const
