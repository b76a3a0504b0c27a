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

  it("reads the files that instructions import, each once and after the file that imports it", () =>
    withProject((project) => {
      const put = (name: string, text: string) => writeFileSync(join(project, name), text)
      mkdirSync(join(project, "docs"))
      put("CLAUDE.md", "@AGENTS.local.md\nStyle: @docs/style.md, see `@docs/no.md` and a@docs/no.md and @docs/gone.md")
      put("AGENTS.local.md", "@CLAUDE.md again")
      put("docs/style.md", "@./names.md")
      put("docs/names.md", "nouns")
      put("docs/no.md", "not imported")
      assert.deepStrictEqual(
        find(project).files.map(({ name }) => name),
        ["CLAUDE.md", "AGENTS.local.md", "docs/style.md", "docs/names.md"]
      )
    }))

  it("imports nothing from outside of the project, and says so", () =>
    withProject((project, beside) => {
      writeFileSync(join(beside, "outside.md"), "canary")
      symlinkSync("../outside.md", join(project, "link.md"))
      writeFileSync(join(project, "AGENTS.md"), "@../outside.md @~/own.md @/etc/notes.txt @link.md")
      const { files, unreadable } = find(project)
      assert.lengthOf(files, 1)
      const imports = "AGENTS.md imports it from outside the project"
      assert.deepStrictEqual(unreadable, [
        { name: "../outside.md", problem: imports },
        { name: "~/own.md", problem: imports },
        { name: "/etc/notes.txt", problem: imports },
        { name: "link.md", problem: "it is a link to a place outside the project" }
      ])
    }))

  it("ends a chain of imports after the fifth", () =>
    withProject((project) => {
      for (let at = 1; at < 9; at++) writeFileSync(join(project, `${at}.md`), `@${at + 1}.md`)
      writeFileSync(join(project, "AGENTS.md"), "@1.md")
      assert.deepStrictEqual(
        find(project).files.map(({ name }) => name),
        ["AGENTS.md", "1.md", "2.md", "3.md", "4.md", "5.md"]
      )
    }))

  it("reads at most 64 files of instructions, and names the first that it leaves out", () =>
    withProject((project) => {
      const names = Array.from({ length: 70 }, (_, at) => `${at}.md`)
      for (const name of names) writeFileSync(join(project, name), "text")
      writeFileSync(join(project, "AGENTS.md"), names.map((name) => `@${name}`).join(" "))
      const { files, unreadable } = find(project)
      assert.lengthOf(files, 64)
      assert.deepStrictEqual(
        unreadable.map(({ name }) => name),
        ["63.md"]
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
