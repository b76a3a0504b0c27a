/** A survey with a cache finds the same as one without: after any changes, however quickly they follow. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, normalize } from "node:path"
import * as Survey from "../src/internal/Survey.ts"

const name = Schema.Literals(["a", "b", "c", ".git", ".vscode", ".env", "AGENTS.md", "node_modules"])
const path = Schema.Array(name).check(Schema.isMinLength(1), Schema.isMaxLength(3))
const Change = Schema.Struct({ how: Schema.Literals(["write", "make", "remove", "move"]), at: path, to: path })

const changed = (root: string, { at, how, to }: typeof Change.Type): void => {
  const place = join(root, ...at)
  // An edit that fails is not a change.
  try {
    if (how === "make") mkdirSync(place, { recursive: true })
    else if (how === "remove") rmSync(place, { recursive: true, force: true })
    else if (how === "move" && existsSync(place)) renameSync(place, join(root, ...to))
    else if (how === "write") {
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, "x")
    }
  } catch {
    return
  }
}

const found = (workspace: string) =>
  Effect.map(Survey.survey({ workspace, passedOver: [] }), (findings) =>
    findings.map(({ care, id, kind, path }) => [normalize(path), care, kind, id].join(" ")).toSorted()
  )

describe("Survey", () => {
  it.effect.prop(
    "finds after changes the same as in a workspace that it never saw",
    [Arbitrary.schema(Schema.Array(Change).check(Schema.isMinLength(4), Schema.isMaxLength(30)))],
    ([changes]) =>
      Effect.gen(function* () {
        const workspace = realpathSync(mkdtempSync(join(tmpdir(), "bough-survey-")))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(workspace, { recursive: true })))
        let unseen = workspace
        for (const [index, change] of changes.entries()) {
          changed(workspace, change)
          // Another spelling of the workspace: nothing is cached for it.
          unseen = `${unseen}/.`
          if (index % 3 === 2) assert.deepStrictEqual(yield* found(workspace), yield* found(unseen))
        }
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 60 } }
  )

  it.live("finds a change deep in cached folders", () =>
    Effect.gen(function* () {
      const workspace = realpathSync(mkdtempSync(join(tmpdir(), "bough-survey-")))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(workspace, { recursive: true })))
      mkdirSync(join(workspace, "a/b/c"), { recursive: true })
      mkdirSync(join(workspace, "d"))
      // Longer than the resolution of a file system's clock: from here on all is cached.
      yield* Effect.sleep(150)
      for (let times = 0; times < 2; times++) assert.deepStrictEqual(yield* found(workspace), [])
      writeFileSync(join(workspace, "a/b/c/.env"), "x")
      assert.lengthOf(yield* found(workspace), 1)
      yield* Effect.sleep(150)
      yield* found(workspace)
      renameSync(join(workspace, "a/b"), join(workspace, "d/b"))
      assert.match((yield* found(workspace)).join(), /d\/b\/c\/\.env secret/u)
      mkdirSync(join(workspace, "a/b"))
      assert.lengthOf(yield* found(workspace), 1)
    }).pipe(Effect.scoped)
  )
})
