/** The digest of a project's skill covers everything in its folder. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SkillFolder from "../../src/skills/SkillFolder.ts"

describe("SkillFolder", () => {
  it("has another digest after each change of a name, a content or a link", () => {
    const root = mkdtempSync(join(tmpdir(), "bough-skill-"))
    try {
      const folder = join(root, "a")
      mkdirSync(join(folder, "below"), { recursive: true })
      const digest = (): string => SkillFolder.readBound(folder, "a", root).digest
      const seen = new Set<string>()
      const changes = [
        () => writeFileSync(join(folder, "SKILL.md"), "one"),
        () => writeFileSync(join(folder, "SKILL.md"), "two"),
        () => writeFileSync(join(folder, "below/x"), "one"),
        () => writeFileSync(join(folder, "below/y"), "one"),
        () => writeFileSync(join(folder, "below/y"), Uint8Array.of(0, 255)),
        () => writeFileSync(join(folder, "below/y"), Uint8Array.of(0, 254)),
        () => symlinkSync("below/x", join(folder, "link")),
        () => rmSync(join(folder, "below/x"))
      ]
      for (const change of changes) {
        change()
        assert.strictEqual(digest(), digest())
        seen.add(digest())
      }
      assert.strictEqual(seen.size, changes.length)
      writeFileSync(join(folder, "big"), Buffer.alloc(9 * 1024 * 1024))
      assert.throws(digest, "its folder has more than 8388608 bytes")
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})
