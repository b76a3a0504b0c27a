/** A package of a monorepo without git: the workspace is all of the monorepo, for file tools and commands. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const bubblewrap = requires("bubblewrap")

describe.skipIf(bubblewrap.skip)(`A package of a monorepo without git${bubblewrap.suffix}`, () => {
  it("reads and writes its root by file tools and commands, and nothing above", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const root = join(place.workspace, "all")
      const folder = join(root, "packages/in")
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(root, "pnpm-workspace.yaml"), "packages:\n  - packages/*\n")
      const call = (tool: string, parameters: unknown) =>
        bough(place, ["call", tool, JSON.stringify(parameters), "--cwd", folder])

      const written = await call("write_file", { path: "../lib/a.txt", content: "by a tool\n" })
      assert.strictEqual(written.code, 0, written.stderr)
      const ran = await call("run_command", { command: "cat ../lib/a.txt ../../pnpm-workspace.yaml > ../../b.txt" })
      assert.strictEqual(ran.code, 0, ran.stdout + ran.stderr)
      assert.strictEqual(readFileSync(join(root, "b.txt"), "utf8"), "by a tool\npackages:\n  - packages/*\n")

      const outside = await call("write_file", { path: "../../../outside.txt", content: "x" })
      assert.notStrictEqual(outside.code, 0)
      await call("run_command", { command: "echo x > ../../../outside.txt" })
      assert.isFalse(existsSync(join(place.workspace, "outside.txt")))
    })
  )
})
