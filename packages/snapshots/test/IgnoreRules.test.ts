import * as IgnoreRules from "@bough/disk/IgnoreRules"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { random } from "./RandomEdits.ts"
import { put, workspace } from "./Scratch.ts"

const git = requires("git")

const parts = [
  "a",
  "b",
  "ab",
  "*",
  "?",
  "**",
  "a*",
  "*b",
  "[ab]",
  "[!a]",
  "\\*",
  "a?b",
  "*.*",
  "[[:alpha:]]b",
  "[a-c]*"
]
const names = ["a", "b", "ab", "ba", "axb", "*", "c", "a.b"]

describe.skipIf(git.skip)(`Rules of .gitignore${git.suffix}`, () => {
  it("ignore the same files as git", () => {
    const root = fs.mkdtempSync(path.join(tmpdir(), "bough-ignore-"))
    try {
      spawnSync("git", ["init", "-q", root])
      for (let seed = 1; seed <= 40; seed++) {
        const { below, pick } = random(seed)
        const line = (): string => {
          const body = Array.from({ length: 1 + below(3) }, () => pick(parts)).join("/")
          return `${below(5) === 0 ? "!" : ""}${below(4) === 0 ? "/" : ""}${body}${below(4) === 0 ? "/" : ""}`
        }
        const text = Array.from({ length: 1 + below(4) }, line).join("\n")
        fs.writeFileSync(path.join(root, ".gitignore"), text)
        const paths = Array.from({ length: 60 }, () => Array.from({ length: 1 + below(3) }, () => pick(names)))
        const checked = spawnSync("git", ["-C", root, "check-ignore", "--no-index", "--stdin", "-z"], {
          input: paths.map((segments) => segments.join("/")).join("\0")
        })
        const ignored = new Set(checked.stdout.toString().split("\0"))
        const files = [IgnoreRules.parse([], Buffer.from(text))]
        // An ignored directory includes everything in it.
        const isIgnored = (segments: ReadonlyArray<string>): boolean =>
          segments.some((_, at) =>
            IgnoreRules.isIgnored(files, { segments: segments.slice(0, at + 1), isDirectory: at < segments.length - 1 })
          )
        for (const segments of paths) {
          assert.strictEqual(
            isIgnored(segments),
            ignored.has(segments.join("/")),
            `seed ${seed}: ${JSON.stringify(text)} and ${segments.join("/")}`
          )
        }
      }
    } finally {
      fs.rmSync(root, { recursive: true })
    }
  })
})

describe("Rules of .gitignore", () => {
  it("match a malicious pattern in bounded time", () => {
    const pattern = `${"*a".repeat(200)}b`
    const [files, name] = [[IgnoreRules.parse([], Buffer.from(pattern))], "a".repeat(255)]
    // Backtracking at every star would take too long.
    assert.isFalse(IgnoreRules.isIgnored(files, { segments: [name], isDirectory: false }))
    assert.isFalse(
      IgnoreRules.isIgnored([IgnoreRules.parse([], Buffer.from(`${"**/a/".repeat(100)}b`))], {
        segments: Array.from({ length: 200 }, () => "a"),
        isDirectory: false
      })
    )
  })
})

describe("A workspace with malicious rules", () => {
  const small = { maxRuleBytes: 64 * 1024, maxRuleSteps: 1_000_000 }
  const heavy = `${"*a".repeat(20)}b\n`.repeat(100)
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${"a".repeat(100)}${at}`, ""]))

  it.live("is not recorded if its rules take too many steps", () =>
    Effect.gen(function* () {
      const { snapshots } = yield* workspace({ ".gitignore": heavy, ...names(20) }, { limits: small })
      assert.include((yield* Effect.flip(snapshots.before)).message, "take too long to compare")
      const few = yield* workspace({ ".gitignore": heavy, ...names(2) }, { limits: small })
      // The steps of each update count for themselves.
      for (let round = 0; round < 5; round++) {
        put(few.root, { [`${"a".repeat(90)}-${round}`]: "" })
        yield* few.snapshots.before
      }
    })
  )

  it.live("is not recorded if its files have too many rules together", () =>
    Effect.gen(function* () {
      const rules = "x\n".repeat(4 * 1024)
      const { at, root, snapshots } = yield* workspace(
        Object.fromEntries(Array.from({ length: 8 }, (_, name) => [`d${name}/.gitignore`, rules])),
        { limits: { ...small, maxRuleSteps: Infinity } }
      )
      yield* snapshots.before
      // Rules that were removed or replaced count no longer, and those in an ignored directory never do.
      fs.rmSync(at("d0/.gitignore"))
      fs.rmSync(at("d1"), { recursive: true })
      put(root, { "d2/.gitignore": "x\n" })
      yield* snapshots.before
      put(root, { "e/.gitignore": rules, "f/.gitignore": rules })
      yield* snapshots.before
      put(root, { ".gitignore": "deep/\n", "deep/.gitignore": rules })
      yield* snapshots.before
      put(root, { "g/.gitignore": rules })
      assert.include((yield* Effect.flip(snapshots.before)).message, ".gitignore files of the workspace have more than")
    })
  )
})
