/** PathLister: the files of a real folder, without ignored ones, a few of many. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import * as PathLister from "../../../src/ui/tui/PathLister.ts"

const inFolder = <A, E>(use: (root: string) => Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-paths-"))),
    (root) => Effect.scoped(use(root)),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

const write = (root: string, paths: ReadonlyArray<string>): void => {
  for (const folder of new Set(paths.map((path) => dirname(path)))) mkdirSync(join(root, folder), { recursive: true })
  for (const path of paths) writeFileSync(join(root, path), "")
}

const completed = Effect.fnUntraced(function* (root: string, query: string) {
  const lister = yield* PathLister.make({ root, protectedPaths: [join(root, "data")] })
  const paths = yield* lister.complete(query)
  return paths.map(({ isFolder, path }) => (isFolder ? `${path}/` : path))
})

describe("PathLister", () => {
  it.live("offers files and folders, and nothing that is ignored or protected", () =>
    inFolder((root) =>
      Effect.gen(function* () {
        write(root, ["src/main.ts", "src/deep/er/main.test.ts", ".github/ci.yml", "my file.txt", "evil\u001B[2J.txt"])
        write(root, ["node_modules/x/main.ts", "out.log", ".git/config", "data/main.db"])
        writeFileSync(join(root, ".gitignore"), "node_modules\n*.log\n")
        const all = yield* completed(root, "")
        assert.sameMembers(
          [...all],
          [
            ".gitignore",
            ".github/",
            ".github/ci.yml",
            "my file.txt",
            "src/",
            "src/main.ts",
            "src/deep/",
            "src/deep/er/",
            "src/deep/er/main.test.ts"
          ]
        )
        assert.deepStrictEqual((yield* completed(root, "main")).slice(0, 2), [
          "src/main.ts",
          "src/deep/er/main.test.ts"
        ])
        assert.strictEqual((yield* completed(root, "smts"))[0], "src/main.ts")
        assert.strictEqual((yield* completed(root, "MY F"))[0], "my file.txt")
        assert.deepStrictEqual(yield* completed(root, "nothing like it"), [])
      })
    )
  )

  it.live(
    "offers few of ten thousand files, the best of them first",
    () =>
      inFolder((root) =>
        Effect.gen(function* () {
          const names = Array.from({ length: 10_000 }, (_, index) => `part${index % 100}/index${index}.ts`)
          write(root, [...names, "part7/the-needle.ts"])
          const lister = yield* PathLister.make({ root, protectedPaths: [] })
          assert.strictEqual((yield* lister.complete("index")).length, PathLister.maxPaths)
          const found = yield* lister.complete("needle")
          assert.strictEqual(found[0]?.path, "part7/the-needle.ts")
          assert.deepStrictEqual((yield* lister.complete("part99/"))[0], { path: "part99", isFolder: true })
        })
      ),
    thoroughOnly
  )

  it.live("reports a missing folder", () =>
    inFolder((root) =>
      Effect.gen(function* () {
        const lister = yield* PathLister.make({ root: join(root, "gone"), protectedPaths: [] })
        const failed = yield* Effect.flip(lister.complete("a"))
        assert.strictEqual(failed._tag, "PathsFailed")
        assert.include(failed.message, join(root, "gone"))
      })
    )
  )
})
