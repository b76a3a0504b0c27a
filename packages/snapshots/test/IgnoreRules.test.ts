import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import * as IgnoreRules from "../src/internal/IgnoreRules.ts"
import { random } from "./RandomEdits.ts"

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
          segments.some((_, at) => IgnoreRules.isIgnored(files, segments.slice(0, at + 1), at < segments.length - 1))
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
    assert.isFalse(IgnoreRules.isIgnored(files, [name], false))
    assert.isFalse(
      IgnoreRules.isIgnored(
        [IgnoreRules.parse([], Buffer.from(`${"**/a/".repeat(100)}b`))],
        Array.from({ length: 200 }, () => "a"),
        false
      )
    )
  })
})
