/**
 * The vault from the command line to the agent: values reach files and commands, and no stored, sent or printed text.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type ModelServer, withModel } from "./program/ModelServer.ts"

const value = "npm_Zk4f7c1b2a9dQq"
const needed = requires("linux", "bubblewrap")

const run = (
  script: ReadonlyArray<Answer>,
  use: (place: TestFolder, server: ModelServer) => Promise<void>
): Promise<void> => withTestFolder((place) => withModel(script, (server) => use(place, server)))

const set = (place: TestFolder, name: string, stdin: string, ...flags: ReadonlyArray<string>) =>
  bough(place, ["vault", "set", name, ...flags], { stdin })

/** Every spelling of the value in a file. */
const spellings = [
  value,
  Buffer.from(value).toString("hex"),
  ...[0, 1, 2].map((before) =>
    Buffer.from(`${" ".repeat(before)}${value}`)
      .toString("base64")
      .slice(4, -4)
  )
]

/** The files of the folder that contain the value. */
const holding = (folder: string): ReadonlyArray<string> =>
  globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => {
      const text = readFileSync(file).toString("latin1")
      return spellings.some((spelling) => text.includes(spelling))
    })

describe("vault", () => {
  it("reads values from stdin alone, lists names, and deletes", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const saved = await set(place, "NPM_TOKEN", `${value}\n`)
      assert.strictEqual(saved.code, 0, saved.stderr)
      assert.include(saved.stderr, `NPM_TOKEN is saved (${value.length} bytes)`)
      const listed = await bough(place, ["vault"])
      assert.match(listed.stdout, /^NPM_TOKEN {2}18 bytes {2}saved \d{4}-\d\d-\d\d$/m)
      assert.deepStrictEqual(holding(place.home), [])
      const extra = await bough(place, ["vault", "set", "NPM_TOKEN", value])
      assert.strictEqual(extra.code, 2)
      const bad = await set(place, "npm token", value)
      assert.strictEqual(bad.code, 1)
      assert.match(bad.stderr, /cannot be called "npm token" — use capital letters/)
      const file = await bough(place, ["vault", "copy", "NPM_TOKEN", "token.txt"])
      assert.strictEqual(file.code, 0, file.stderr)
      assert.strictEqual(readFileSync(join(place.workspace, "token.txt"), "utf8"), value)
      assert.strictEqual(statSync(join(place.workspace, "token.txt")).mode & 0o777, 0o600)
      const again = await bough(place, ["vault", "copy", "NPM_TOKEN", "token.txt"])
      assert.strictEqual(again.code, 1)
      assert.match(again.stderr, /something at .*token\.txt already/)
      const removed = await bough(place, ["vault", "remove", "NPM_TOKEN"])
      assert.match(removed.stderr, /NPM_TOKEN is deleted[^]*a copy may still be in .*token\.txt/)
      assert.match((await bough(place, ["vault", "list"])).stderr, /the vault is empty/)
    })
  )

  it("is not opened by a command of an agent", () =>
    withTestFolder(async (place) => {
      await set(place, "NPM_TOKEN", value)
      const ended = await bough(place, ["vault", "copy", "NPM_TOKEN", "x"], { env: { BOUGH_COMMAND: "1" } })
      assert.strictEqual(ended.code, 3)
      assert.isFalse(existsSync(join(place.workspace, "x")))
    }))

  it("asks before an agent gets an entry, naming it, and lists the existing ones", () =>
    run(
      [
        { text: "", calls: [{ name: "copy_from_vault", arguments: { name: "NPM_TOKEN", path: ".env.local" } }] },
        { text: "no" },
        { text: "", calls: [{ name: "copy_from_vault", arguments: { name: "OTHER", path: "b" } }] },
        { text: "no" }
      ],
      async (place, server) => {
        await set(place, "NPM_TOKEN", value)
        const ended = await bough(place, ["run", "--approve", "allow", "go"], { env: server.env })
        assert.strictEqual(ended.code, 3, ended.stderr)
        assert.match(ended.stderr, /copy_from_vault name="NPM_TOKEN" path="\.env\.local"/)
        assert.isFalse(existsSync(join(place.workspace, ".env.local")))
        await bough(place, ["run", "--allow", "copy_from_vault name=OTHER path=b", "go"], { env: server.env })
        assert.match(server.bodies.at(-1) ?? "", /no entry ..OTHER..; it holds NPM_TOKEN/)
      }
    ))

  it.skipIf(needed.skip)(`reaches a file and a command, and nothing that is stored or sent${needed.suffix}`, () => {
    const path = "config/token.txt"
    const commands = {
      file: `cat ${path}; base64 ${path}; head -c 9 ${path}; sleep 0.05; tail -c +10 ${path}; wc -c < ${path}`,
      variable: 'printf "%s" "$NPM_TOKEN"; printf "%s" "$NPM_TOKEN" | od -An -tx1 | tr -d " \\n"'
    }
    const script: ReadonlyArray<Answer> = [
      { text: "", calls: [{ name: "copy_from_vault", arguments: { name: "NPM_TOKEN", path } }] },
      { text: "", calls: [{ name: "run_command", arguments: { command: commands.file } }] },
      { text: "", calls: [{ name: "run_command", arguments: { command: commands.variable, vault: ["NPM_TOKEN"] } }] },
      { text: "", calls: [{ name: "read_file", arguments: { path } }] },
      { text: "", calls: [{ name: "write_file", arguments: { path: "b.txt", content: `token=${value}` } }] },
      { text: "done" },
      { text: "", calls: [{ name: "run_command", arguments: { command: commands.file } }] },
      { text: "again" }
    ]
    return run(script, async (place, server) => {
      put(place, "a.txt", "a")
      mkdirSync(join(place.workspace, "config"))
      await set(place, "NPM_TOKEN", value)
      const env = { ...server.env, BOUGH_UNDO: "" }
      const rules = [
        `copy_from_vault name=NPM_TOKEN path=${path}`,
        `run_command command=${JSON.stringify(commands.variable)} vault=["NPM_TOKEN"]`
      ].flatMap((rule) => ["--allow", rule])
      const ended = await bough(place, ["run", ...rules, "--format", "json", "go"], { env })
      assert.strictEqual(readFileSync(join(place.workspace, path), "utf8"), value, ended.stderr)
      assert.include(server.bodies[2], "[hidden: NPM_TOKEN]", "the output of the first command")
      assert.match(
        server.bodies[3] ?? "",
        /\[hidden: NPM_TOKEN\]\[hidden: NPM_TOKEN\]/,
        "the value and its hexadecimal spelling"
      )
      // The call that reads the copy waits for an approval.
      assert.strictEqual(ended.code, 3, ended.stderr)
      // A new process redacts the value of the copy from its first command on.
      const later = await bough(place, ["run", "go"], { env })
      assert.notInclude(server.bodies.join("\n"), value)
      for (const spelling of spellings) {
        assert.notInclude(ended.stdout + ended.stderr + later.stdout + later.stderr, spelling)
        assert.notInclude(server.bodies.join("\n"), spelling)
      }
      assert.isNotEmpty(globSync("snapshots/*", { cwd: place.data }))
      const exported = await bough(place, ["sessions", "export", "--all"])
      assert.deepStrictEqual(holding(place.home), [], exported.stdout.slice(0, 100))
    })
  })
})
