/** Relative paths of rules count from the folder of the file that holds them, wherever below it a session starts. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { configure, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const bubblewrap = requires("bubblewrap")

const textOf = (folder: string): string => `plan of ${folder === "" ? "the root" : folder}\n`

/** A repository with the same entries at its root and in a package, and commands that start in the package. */
const repository = (place: TestFolder, files: Readonly<Record<string, string>> = {}) => {
  mkdirSync(join(place.workspace, ".git"))
  for (const folder of ["", "packages/web/"]) {
    put(place, `${folder}deploy/plan.txt`, textOf(folder))
    put(place, `${folder}notes.txt`, "notes\n")
  }
  for (const [path, text] of Object.entries(files)) put(place, path, text)
  const cwd = join(place.workspace, "packages/web")
  const inPackage = (...args: ReadonlyArray<string>) => bough(place, args, { cwd })
  const call = (tool: string, parameters: unknown) => inPackage("call", tool, JSON.stringify(parameters))
  const decisions = async (...paths: ReadonlyArray<string>) => {
    const found: Array<string> = []
    for (const path of paths) {
      const tested = await inPackage("policy", "test", "write_file", JSON.stringify({ path, content: "" }))
      found.push(tested.stdout.split(" ", 1)[0] ?? "")
    }
    return found
  }
  return { call, decisions, inPackage, trust: () => inPackage("run", "--trust", "hello") }
}

const denying = (rule: unknown): Readonly<Record<string, string>> => ({
  ".bough/config.jsonc": JSON.stringify({ rules: { deny: [rule] } })
})

describe("A relative path in a rule", () => {
  it("of a project's file counts from the folder that holds .bough, also for a session that starts below", () =>
    withTestFolder(async (place) => {
      const examples = { match: ["write_file path=deploy/a"], notMatch: ["write_file path=packages/web/deploy/a"] }
      const { call, decisions, inPackage, trust } = repository(place, denying({ rule: "* path=deploy", ...examples }))
      assert.strictEqual((await trust()).code, 0)
      for (const path of ["../../deploy/plan.txt", join(place.workspace, "deploy/plan.txt")]) {
        const written = await call("write_file", { path, content: "changed" })
        assert.include(written.stdout + written.stderr, "deny * path=deploy")
      }
      assert.strictEqual(readFileSync(join(place.workspace, "deploy/plan.txt"), "utf8"), textOf(""))
      assert.strictEqual((await call("write_file", { path: "deploy/own.txt", content: "x" })).code, 0)
      const found = await call("search_files", { pattern: "notes|plan of", path: "../.." })
      assert.include(found.stdout, textOf("packages/web/").trim())
      assert.notInclude(found.stdout, textOf("").trim())
      assert.deepStrictEqual(await decisions("deploy/a", "../../deploy/a", "../../notes.txt"), [
        "allow",
        "deny",
        "allow"
      ])
      const explained = await inPackage(
        "policy",
        "explain",
        "read_file",
        JSON.stringify({ path: "../../deploy/plan.txt" })
      )
      assert.include(explained.stdout, 'decided by: the rule "deny * path=deploy"')
      assert.strictEqual((await inPackage("policy", "check")).code, 0)
    }))

  it("of a project's agent counts from the folder that holds its .bough", () =>
    withTestFolder(async (place) => {
      const matter = "name: reviewer\ndescription: Reviews\nrules:\n  deny:\n    - write_file path=deploy"
      const { inPackage, trust } = repository(place, { ".bough/agents/reviewer.md": `---\n${matter}\n---\nReview.` })
      await trust()
      const write = (path: string) => inPackage("run", "--agent", "reviewer", `write "changed" to ${path}`)
      assert.include((await write("../../deploy/plan.txt")).stdout, "deny write_file path=deploy")
      await write("deploy/plan.txt")
      assert.strictEqual(readFileSync(join(place.workspace, "deploy/plan.txt"), "utf8"), textOf(""))
      assert.strictEqual(readFileSync(join(place.workspace, "packages/web/deploy/plan.txt"), "utf8"), "changed")
    }))

  it("of a user's own file counts from the start folder; a deny or ask also counts from the repository's root", () =>
    withTestFolder(async (place) => {
      const { decisions } = repository(place)
      const paths = ["deploy/a", "../../deploy/a", "../../notes.txt"]
      configure(place, JSON.stringify({ rules: { deny: ["write_file path=deploy"] } }))
      assert.deepStrictEqual(await decisions(...paths), ["deny", "deny", "allow"])
      configure(place, JSON.stringify({ rules: { ask: ["write_file path=deploy"] } }))
      assert.deepStrictEqual(await decisions(...paths), ["ask", "ask", "allow"])
    }))

  it.skipIf(bubblewrap.skip)(`keeps commands out${bubblewrap.suffix}`, () =>
    withTestFolder(async (place) => {
      const { call, trust } = repository(place, denying("* path=deploy"))
      await trust()
      const command = "cat ../../deploy/plan.txt; cat ../../notes.txt deploy/plan.txt; echo x > ../../deploy/new"
      const ran = await call("run_command", { command })
      const { result } = JSON.parse(ran.stdout) as { readonly result: { readonly output: { readonly stdout: string } } }
      assert.include(result.output.stdout, `notes\n${textOf("packages/web/")}`)
      assert.notInclude(result.output.stdout, textOf(""))
      assert.isFalse(existsSync(join(place.workspace, "deploy/new")))
    })
  )
})
