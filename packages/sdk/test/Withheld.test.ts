/**
 * Rules that deny reading a path, and walks of the folders above it: no tool finds anything below the path.
 */
import { FilesPack } from "@bough/pack-files"
import { Capability, Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { open } from "../src/index.ts"

/** A tool whose author does not know of rules. */
const walkAll = Tool.make("walk_all", {
  version: 1,
  description: "Walks",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({ path: Schema.String }),
  output: Schema.Struct({ paths: Schema.Array(Schema.String) }),
  execute: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceRead
    const options = { recursive: true, hidden: true, ignored: true, measure: false, limit: 1_000 }
    const { items } = yield* workspace.list(path, options)
    return Tool.result({ output: { paths: items.map((item) => item.path) }, display: "Walked" })
  })
})

const run = Tool.fromAsync("run_it", {
  version: 1,
  description: "Runs",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({ command: Schema.String }),
  output: Schema.Struct({ text: Schema.String }),
  execute: async ({ command }, { Execution }) => ({
    output: { text: (await Execution.run(command)).stdout },
    display: "Ran"
  })
})

const bubblewrap = requires("linux", "bubblewrap")

const pack = ToolPack.merge(FilesPack.all, ToolPack.make(walkAll))

const withTree = async <A>(paths: ReadonlyArray<string>, use: (root: string) => Promise<A>): Promise<A> => {
  const root = mkdtempSync(join(tmpdir(), "bough-withheld-"))
  try {
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), `needle of ${path}\n`)
    }
    return await use(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

interface FoundPaths {
  readonly paths: ReadonlyArray<string>
  readonly display: string
}

/** The result of each walking tool for a folder. */
const foundIn = async (
  root: string,
  path: string,
  rules: ReadonlyArray<string>
): Promise<ReadonlyArray<FoundPaths>> => {
  await using tools = await open(pack, { root, rules })
  const args = [
    await tools.find_files({ glob: "**", path }),
    await tools.list_files({ path, recursive: true, hidden: true }),
    await tools.list_files({ path }),
    await tools.search_files({ path, pattern: "needle" }),
    await tools.walk_all({ path })
  ] as const
  return args.map((envelope) => {
    if (envelope.status !== "success") return assert.fail(JSON.stringify(envelope))
    const { display, output } = envelope.result
    const paths =
      "paths" in output
        ? output.paths
        : "entries" in output
          ? output.entries.map((entry) => entry.path.replace(/\/$/u, ""))
          : output.files.flatMap((file) => [file.path, ...file.hits.map(({ text }) => text.replace("needle of ", ""))])
    return { paths, display }
  })
}

const isBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

const name = Schema.Literals(["a", "b", "c"])
const path = Schema.Array(name).check(Schema.isMinLength(1), Schema.isMaxLength(4))
const tree = Schema.Struct({
  files: Schema.Array(path).check(Schema.isMinLength(2), Schema.isMaxLength(8)),
  rule: Schema.Literals(["deny read_file path=", "deny * path=", "deny search_files path=", "deny walk_all path="]),
  depth: Schema.Literals([1, 2, 3])
})

describe("a denied place", () => {
  it.effect.prop(
    "is skipped by every walk of a folder above, and all the rest is found",
    [Arbitrary.schema(tree)],
    ([{ depth, files, rule }]) =>
      Effect.promise(() =>
        withTree(
          files.map((names) => `${names.join("/d/")}.txt`),
          async (root) => {
            const withheld = `${files[0].slice(0, depth).join("/d/")}${files[0].length <= depth ? ".txt" : ""}`
            const free = await foundIn(root, ".", [])
            const ruled = await foundIn(root, ".", [`${rule}${withheld}`])
            for (const [index, { display, paths }] of ruled.entries()) {
              assert.deepStrictEqual(
                paths,
                free[index].paths.filter((found) => !isBelow(found, withheld))
              )
              const isDeep = index !== 2 || !withheld.includes("/")
              assert.strictEqual(display.includes("1 place was withheld by rule"), isDeep, display)
            }
          }
        )
      ),
    { arbitrary: { runs: 6 } }
  )

  const files = ["docs/open.txt", "docs/secrets/key.txt", "other/x.txt"]
  const rules = ["deny read_file path=docs/secrets/"]

  it("stays in place, and so does its folder: the place is named", () =>
    withTree(files, async (root) => {
      await using tools = await open(pack, { root, rules, approve: () => true })
      for (const from of ["docs", "docs/secrets", "docs/secrets/key.txt"]) {
        for (const call of [tools.copy_path, tools.move_path]) {
          const envelope = await call({ from, to: "taken" })
          assert.strictEqual(envelope.status, "error")
          assert.include(JSON.stringify(envelope), "docs/secrets")
          assert.include(JSON.stringify(envelope), "Withheld: ")
        }
      }
      assert.isFalse(existsSync(join(root, "taken")))
      assert.strictEqual((await tools.copy_path({ from: "docs/open.txt", to: "taken" })).status, "success")
      assert.strictEqual((await tools.move_path({ from: "other", to: "moved" })).status, "success")
    }))

  it("is skipped under every name and link", thoroughOnly, () =>
    withTree(files, async (root) => {
      symlinkSync("docs", join(root, "link"))
      symlinkSync("docs/secrets", join(root, "short"))
      for (const rule of [
        "deny read_file path=link/secrets",
        "deny read_file path=short",
        `deny read_file path=${root}/docs/secrets`
      ]) {
        for (const from of [".", "docs", "link", "docs/secrets", "short", "other/../docs"]) {
          const found = await foundIn(root, from, [rule])
          assert.notInclude(JSON.stringify(found), "key.txt")
        }
      }
    })
  )

  it("is reported only by its path, whether or not it would have had matches", () =>
    withTree(files, async (root) => {
      await using tools = await open(pack, { root, rules: [...rules, "deny read_file path=nowhere/"] })
      for (const pattern of ["needle of docs/secrets", "no such text"]) {
        const envelope = await tools.search_files({ pattern })
        assert.include(JSON.stringify(envelope), "1 place was withheld by rule: deny read_file path=docs/secrets/")
        assert.notInclude(JSON.stringify(envelope), "nowhere")
      }
      assert.notInclude(JSON.stringify(await tools.search_files({ pattern: "needle", path: "other" })), "withheld")
    }))

  it.each([
    "deny write_file path=docs/secrets/",
    "ask read_file path=docs/secrets/",
    "deny copy_path to=docs/secrets/"
  ])("%s withholds nothing from walks", (rule) =>
    withTree(files, async (root) => {
      for (const { paths } of await foundIn(root, "docs/secrets", [rule])) assert.include(paths, "docs/secrets/key.txt")
    })
  )

  it.skipIf(bubblewrap.skip)(`is empty for commands${bubblewrap.suffix}`, () =>
    withTree(files, async (root) => {
      await using tools = await open(ToolPack.merge(pack, ToolPack.make(run)), { root, rules })
      const envelope = await tools.run_it({ command: "cat docs/*/* docs/*" })
      assert.include(JSON.stringify(envelope), "needle of docs/open.txt")
      assert.notInclude(JSON.stringify(envelope), "needle of docs/secrets")
      assert.include(JSON.stringify(envelope), "1 place was withheld by rule")
    })
  )
})
