/**
 * Paths that rules withhold from commands: they are empty for commands, cannot be renamed, and stay unchanged outside.
 */
import type { ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bubblewrap, fresh } from "./Places.ts"

/** A session in a workspace with secrets, whose rules withhold these paths. */
const withholding = Effect.fnUntraced(function* (...paths: ReadonlyArray<string>) {
  const { sandbox, workspace } = yield* fresh()
  mkdirSync(join(workspace, "docs/secrets/deep"), { recursive: true })
  for (const path of ["docs/open.txt", "docs/key.txt", "docs/secrets/a.txt", "docs/secrets/deep/b.txt"]) {
    writeFileSync(join(workspace, path), `content of ${path}`)
  }
  symlinkSync("docs/secrets", join(workspace, "link"))
  const lines: Array<string> = []
  const withheld: ToolContext.WithheldLocations = {
    places: paths.map((path) => ({ path, rule: `deny read_file path=${path}` })),
    report: ({ path }) => void lines.push(path)
  }
  const made = sandbox.provided({ root: workspace, writable: true }).make({} as never, () => {}, { withheld })
  return { run: made.run, workspace, told: lines }
})

describe.skipIf(bubblewrap.skip)(`Withheld places${bubblewrap.suffix}`, () => {
  it.live.each([["docs/secrets/"], ["docs/secrets"], ["link"], ["docs/../docs/secrets"]])(
    "a folder withheld as %s is empty, and everything beside it is visible",
    ([path]) =>
      Effect.gen(function* () {
        const { run, told, workspace } = yield* withholding(path)
        const ran = yield* run(
          "grep -rs content . ; cat link/a.txt docs/secrets/deep/b.txt; mv docs moved; mv docs/secrets stolen; rm -rf docs/secrets; cp -r docs copied; grep -rs content copied; touch docs/made"
        )
        assert.include(ran.stdout, "docs/open.txt:content of docs/open.txt")
        assert.include(ran.stdout, "copied/open.txt")
        assert.notInclude(ran.stdout, "secrets/a.txt:")
        assert.notInclude(ran.stdout, "content of docs/secrets")
        assert.isTrue(existsSync(join(workspace, "docs/made")))
        assert.isFalse(existsSync(join(workspace, "moved")))
        assert.isFalse(existsSync(join(workspace, "stolen/a.txt")))
        assert.strictEqual(readFileSync(join(workspace, "docs/secrets/a.txt"), "utf8"), "content of docs/secrets/a.txt")
        assert.deepStrictEqual(told, [path])
      })
  )

  it.live("a file is empty, and neither it nor its folder can be renamed", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* withholding("docs/key.txt")
      const ran = yield* run("cat docs/*.txt; mv docs/key.txt key; mv docs moved; echo x > docs/key.txt")
      assert.strictEqual(ran.stdout, "content of docs/open.txt")
      assert.strictEqual(readFileSync(join(workspace, "docs/key.txt"), "utf8"), "content of docs/key.txt")
      assert.isFalse(existsSync(join(workspace, "moved")))
    })
  )

  it.live("a file whose secrets are left out anyway is empty, also in a withheld folder", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* withholding("docs/.env", "docs/secrets", "docs/.npmrc")
      writeFileSync(join(workspace, "docs/.env"), "PORT=80\nTOKEN=sesame")
      writeFileSync(join(workspace, "docs/.npmrc"), "//registry.example.com/:_authToken=sesame")
      writeFileSync(join(workspace, "docs/secrets/.env"), "TOKEN=sesame")
      const ran = yield* run("cat docs/.env docs/.npmrc docs/secrets/.env docs/open.txt")
      assert.strictEqual(ran.stdout, "content of docs/open.txt")
    })
  )

  it.live("a folder in a withheld folder, and a missing one, need nothing", () =>
    Effect.gen(function* () {
      const { run, told } = yield* withholding("docs/secrets/deep", "docs/secrets/a.txt", "docs/secrets", "nowhere")
      const ran = yield* run("ls docs/secrets; ls docs")
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [0, "key.txt\nopen.txt\nsecrets\n"])
      assert.notInclude(told, "nowhere")
    })
  )

  it.live("a command is refused if the entire workspace is withheld", () =>
    Effect.gen(function* () {
      const { run } = yield* withholding(".")
      const error = yield* Effect.flip(run("true"))
      assert.include(error.message, 'the rule "deny read_file path=." withholds the whole workspace')
    })
  )
})
