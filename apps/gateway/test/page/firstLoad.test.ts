/** The size of the built page's first load, and that none of it is inline. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import * as PageFiles from "../../src/page/PageFiles.ts"

const page = fileURLToPath(new URL("../../page", import.meta.url))

/** Builds the current page into a folder of its own. */
const built = (): ReadonlyMap<string, PageFiles.PageFile> => {
  const folder = mkdtempSync(join(tmpdir(), "bough-page-"))
  try {
    execFileSync(
      process.execPath,
      [join(page, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "error", "--outDir", folder],
      {
        cwd: page,
        env: { ...process.env, NODE_ENV: "production" },
        stdio: "pipe"
      }
    )
    return PageFiles.load(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("the built page", () => {
  const files = built()
  const document = Buffer.from(files.get("/")?.body ?? []).toString("utf8")

  it("loads less than 250 kB in gzip, whatever screen comes first", () => {
    const bytes = [...new Set(files.values())].map(({ body }) => gzipSync(body, { level: 9 }).length)
    assert.isAbove(files.size, 3)
    assert.isBelow(
      bytes.reduce((sum, size) => sum + size, 0),
      250_000
    )
  })

  it("has no inline script or style, and names its files relative to its own folder", () => {
    assert.notMatch(document, /<style|\sstyle=|\son\w+=|javascript:/iu)
    assert.deepStrictEqual(
      [...document.matchAll(/<script\b[^>]*>([^<]*)/gu)].map(([, content]) => content),
      [""]
    )
    const named = [...document.matchAll(/(?:src|href)="([^"]+)"/gu)].map(([, path]) => path)
    assert.isAbove(named.length, 2)
    assert.deepStrictEqual(
      named.filter((path) => !path.startsWith("./assets/") || !files.has(path.slice(1))),
      []
    )
  })

  it("is served with a policy, and each asset may be cached forever", () => {
    for (const [path, { headers }] of files) {
      assert.include(headers["content-security-policy"], "script-src 'self'")
      assert.notInclude(headers["content-security-policy"], "unsafe")
      assert.strictEqual(headers["cache-control"].includes("immutable"), path.startsWith("/assets/"))
    }
  })
})

it("is not served if it was not built", () => {
  assert.strictEqual(PageFiles.load(join(page, "no such folder")).size, 0)
  assert.isTrue(readFileSync(join(page, "index.html"), "utf8").includes('id="root"'))
})
