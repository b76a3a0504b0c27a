/** Where the user's own skills are found, and which of them the agent could have written. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Skills from "../../src/skills/Skills.ts"

const withHome = (use: (home: string) => void): void => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "bough-home-")))
  try {
    use(home)
  } finally {
    rmSync(home, { recursive: true })
  }
}

const put = (place: string, name: string): void => {
  mkdirSync(join(place, name), { recursive: true })
  writeFileSync(join(place, name, "SKILL.md"), name)
}

const found = (home: string, writable: ReadonlyArray<string>): ReadonlyArray<string> =>
  Skills.userSkills({ variables: {}, platform: "linux", home }, writable).folders.map(({ name }) => name)

describe("Skills", () => {
  it("finds those of the configuration before those that other agents share", () =>
    withHome((home) => {
      put(join(home, ".claude/skills"), "c")
      put(join(home, ".agents/skills"), "b")
      put(join(home, ".config/bough/skills"), "a")
      symlinkSync(join(home, ".agents/skills/b"), join(home, ".claude/skills/b"))
      assert.deepStrictEqual(found(home, ["/elsewhere"]), [
        "~/.config/bough/skills/a/SKILL.md",
        "~/.agents/skills/b/SKILL.md",
        "~/.claude/skills/c/SKILL.md"
      ])
    }))

  it("skips shared ones that the agent could write, also through a link", () =>
    withHome((home) => {
      put(join(home, ".agents/skills"), "b")
      put(join(home, "work/skills"), "c")
      mkdirSync(join(home, ".claude"))
      symlinkSync(join(home, "work/skills"), join(home, ".claude/skills"))
      assert.deepStrictEqual(found(home, [home]), [])
      assert.deepStrictEqual(found(home, [join(home, "work")]), ["~/.agents/skills/b/SKILL.md"])
    }))
})
