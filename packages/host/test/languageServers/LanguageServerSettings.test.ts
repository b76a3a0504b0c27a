/** Tests of which language servers a session has: those of the configuration, then known ones that are installed. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { LanguageServer } from "../../src/languageServers/LanguageServerSchema.ts"
import { choose } from "../../src/languageServers/LanguageServerSettings.ts"

const within = (files: Readonly<Record<string, string>>, use: (root: string) => void): void => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "bough-lsp-settings-")))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  use(root)
  rmSync(root, { recursive: true, force: true })
}

const chosen = (root: string, configured: Readonly<Record<string, LanguageServer>> = {}) =>
  choose(
    { configured, reportsAfterEdits: true },
    { path: `relative:${root}/bin:${root}/missing`, projectRoots: [join(root, "project")] }
  )

const bin = "project/node_modules/.bin"

describe("language servers of a session", () => {
  it("are the installed ones, the project's before the operator's", () =>
    within({ "bin/gopls": "", "bin/pyright-langserver": "", [`${bin}/pyright-langserver`]: "" }, (root) => {
      assert.deepStrictEqual(
        chosen(root).servers.map(({ args, command, name }) => [name, command, ...args]),
        [
          ["python", join(root, bin, "pyright-langserver"), "--stdio"],
          ["go", join(root, "bin/gopls")]
        ]
      )
    }))

  it("include no compiler of TypeScript before 7, which has no server", () => {
    const typescript = (version: string) => ({
      [`${bin}/tsc`]: "",
      "project/node_modules/typescript/package.json": JSON.stringify({ version }),
      "bin/typescript-language-server": ""
    })
    within(typescript("7.0.2"), (root) => assert.strictEqual(chosen(root).servers[0]?.command, join(root, bin, "tsc")))
    within(typescript("5.9.3"), (root) =>
      assert.strictEqual(chosen(root).servers[0]?.command, join(root, "bin/typescript-language-server"))
    )
  })

  it("are changed, switched off or added by the configuration, whose errors are reported", () =>
    within({ "bin/gopls": "", "bin/pyright-langserver": "" }, (root) => {
      const { servers, unused } = chosen(root, {
        go: { settings: { gopls: { staticcheck: true } }, limits: { openFiles: 100 } },
        python: { enabled: false },
        elm: { command: "elm-language-server", extensions: ["ELM"] },
        odd: { command: "odd" },
        rust: {}
      })
      assert.deepStrictEqual(
        servers.map(({ command, extensions, name }) => [name, command, ...extensions]),
        [
          ["go", join(root, "bin/gopls"), "go"],
          ["elm", "elm-language-server", "elm"]
        ]
      )
      assert.deepInclude(servers[0] ?? {}, { settings: { gopls: { staticcheck: true } } })
      assert.strictEqual(servers[0]?.limits.openFiles, 100)
      assert.deepStrictEqual(
        unused.map(({ name }) => name),
        ["odd", "rust"]
      )
      assert.include(unused.map(({ why }) => why).join(), "rustup component add rust-analyzer")
    }))
})
