/** The files of a project that are opened, and the links that lead to them. */
import { assert, describe, it } from "@effect/vitest"
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { find } from "../../src/project/ProjectFiles.ts"

const withProject = (use: (project: string, beside: string) => void): void => {
  const beside = realpathSync(mkdtempSync(join(tmpdir(), "bough-project-")))
  const project = join(beside, "project")
  mkdirSync(join(project, ".git"), { recursive: true })
  try {
    use(project, beside)
  } finally {
    rmSync(beside, { recursive: true })
  }
}

describe("ProjectFiles", () => {
  it("names the target of a link inside the project", () =>
    withProject((project) => {
      writeFileSync(join(project, ".env"), "KEY=1")
      symlinkSync(".env", join(project, "AGENTS.md"))
      assert.deepInclude(find(project).files[0], { name: "AGENTS.md", link: ".env", text: "KEY=1" })
    }))

  it("reads CLAUDE.md in a directory without AGENTS.md alone", () =>
    withProject((project) => {
      mkdirSync(join(project, "inner"))
      writeFileSync(join(project, "CLAUDE.md"), "outer")
      writeFileSync(join(project, "inner", "CLAUDE.md"), "hidden")
      writeFileSync(join(project, "inner", "AGENTS.md"), "inner")
      assert.deepStrictEqual(
        find(join(project, "inner")).files.map((file) => [file.name, file.text]),
        [
          ["../CLAUDE.md", "outer"],
          ["AGENTS.md", "inner"]
        ]
      )
    }))

  it("names no link for a plain file", () =>
    withProject((project) => {
      writeFileSync(join(project, "AGENTS.md"), "plain")
      assert.deepInclude(find(project).files[0], { name: "AGENTS.md", link: null, text: "plain" })
    }))

  it.each([
    ["a file beside it", (beside: string) => join(beside, "outside")],
    ["a relative path", () => "../outside"],
    ["a file of the kernel", () => "/proc/self/environ"],
    ["a device", () => "/dev/zero"],
    ["a chain of links", () => "chain"]
  ] as const)("opens nothing outside: %s", (_, target) =>
    withProject((project, beside) => {
      writeFileSync(join(beside, "outside"), "canary")
      symlinkSync("../outside", join(project, "chain"))
      symlinkSync(target(beside), join(project, "AGENTS.md"))
      const { files, unreadable } = find(project)
      assert.deepStrictEqual(files, [])
      assert.deepStrictEqual(unreadable, [
        { name: "AGENTS.md", problem: "it is a link to a place outside the project" }
      ])
    })
  )

  it("treats a dangling link as no file, and a second name as a file", () =>
    withProject((project) => {
      symlinkSync("nowhere", join(project, "AGENTS.md"))
      mkdirSync(join(project, ".bough"))
      writeFileSync(join(project, "settings"), "{}")
      linkSync(join(project, "settings"), join(project, ".bough/config.jsonc"))
      const { files, unreadable } = find(project)
      assert.deepStrictEqual(
        files.map(({ name }) => name),
        [".bough/config.jsonc"]
      )
      assert.deepStrictEqual(unreadable, [])
    }))
})
