/** The quarantine itself: it follows no link, and moves only the entry that was found. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { moveAwayEntries } from "../src/internal/HeldBack.ts"
import { idOf } from "../src/internal/Survey.ts"
import { bubblewrap, fresh } from "./Places.ts"

describe.skipIf(bubblewrap.skip)(`The quarantine${bubblewrap.suffix}`, () => {
  it.live("the quarantine writes through no link of its own file's name", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      mkdirSync(join(workspace, ".bough/held"), { recursive: true })
      writeFileSync(join(directory, "outside"), "theirs")
      symlinkSync(join(directory, "outside"), join(workspace, ".bough/held/.gitignore"))
      const ran = yield* run("git init -q made")
      assert.include(ran.stderr, "held back")
      assert.strictEqual(readFileSync(join(directory, "outside"), "utf8"), "theirs")
    })
  )

  it.live("an entry that was replaced since it was found stays", () =>
    Effect.gen(function* () {
      const { workspace } = yield* fresh()
      writeFileSync(join(workspace, "AGENTS.md"), "theirs")
      const path = join(workspace, "AGENTS.md")
      const id = idOf(lstatSync(path, { bigint: true }))
      writeFileSync(join(workspace, "new"), "a user's")
      renameSync(join(workspace, "new"), path)
      const finding = { id, path, care: "instructions", kind: "file" } as const
      assert.deepStrictEqual(yield* moveAwayEntries({ workspace, user: null }, [finding]), [
        { path: "AGENTS.md", to: null }
      ])
      assert.strictEqual(readFileSync(path, "utf8"), "a user's")
    })
  )
})
