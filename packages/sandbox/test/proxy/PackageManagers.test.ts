/**
 * Real package managers in the sandbox, with registries of this test's own: packages come through the proxy, and only
 * there.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bubblewrap } from "../Places.ts"
import { proxied } from "./Proxied.ts"

const runs = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0
const npm = existsSync("/usr/bin/npm") && runs("/usr/bin/npm")
const pip = existsSync("/usr/bin/python3") && spawnSync("/usr/bin/python3", ["-m", "pip", "--version"]).status === 0

/** A directory for the packed files, removed when `make` has read it. */
const packed = (make: (directory: string) => Buffer): Buffer => {
  const directory = mkdtempSync(join(tmpdir(), "bough-packed-"))
  const bytes = make(directory)
  rmSync(directory, { recursive: true })
  return bytes
}

const tarball = packed((directory) => {
  mkdirSync(join(directory, "package"))
  writeFileSync(join(directory, "package/package.json"), '{"name":"small-thing","version":"1.2.3","main":"index.js"}')
  writeFileSync(join(directory, "package/index.js"), 'module.exports = "small thing"')
  spawnSync("tar", ["czf", "out.tgz", "package"], { cwd: directory })
  return readFileSync(join(directory, "out.tgz"))
})

const npmRegistry: RequestListener = ({ headers, url = "" }, response) => {
  if (url.endsWith(".tgz")) return void response.end(tarball)
  if (url !== "/small-thing") return void response.writeHead(404).end("{}")
  const dist = {
    tarball: `http://${headers.host}/small-thing/-/small-thing-1.2.3.tgz`,
    integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`
  }
  const versions = { "1.2.3": { name: "small-thing", version: "1.2.3", main: "index.js", dist } }
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify({ name: "small-thing", "dist-tags": { latest: "1.2.3" }, versions }))
}

const wheel = pip
  ? packed((directory) => {
      const info = "small_thing-1.2.3.dist-info"
      const files = {
        "small_thing.py": 'NAME = "small thing"\n',
        [`${info}/METADATA`]: "Metadata-Version: 2.1\nName: small-thing\nVersion: 1.2.3\n",
        [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        [`${info}/RECORD`]: `small_thing.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`
      }
      const script = `import json, sys, zipfile
with zipfile.ZipFile("out.whl", "w") as out:
    for name, text in json.loads(sys.argv[1]).items(): out.writestr(name, text)`
      spawnSync("/usr/bin/python3", ["-c", script, JSON.stringify(files)], { cwd: directory })
      return readFileSync(join(directory, "out.whl"))
    })
  : Buffer.alloc(0)

const pythonIndex: RequestListener = ({ url = "" }, response) => {
  if (url.endsWith(".whl")) return void response.end(wheel)
  response.setHeader("content-type", "text/html")
  response.end('<a href="/small_thing-1.2.3-py3-none-any.whl">small_thing-1.2.3-py3-none-any.whl</a>')
}

describe.skipIf(bubblewrap.skip)(`Package managers in the sandbox${bubblewrap.suffix}`, () => {
  it.live.skipIf(!npm)("npm installs from an approved registry, and from no other", () =>
    Effect.gen(function* () {
      const { asked, run, site, workspace } = yield* proxied({ listener: npmRegistry })
      writeFileSync(join(workspace, "package.json"), '{"name":"here","version":"1.0.0"}')
      const install = (host: string) =>
        run(
          `/usr/bin/npm install small-thing --no-audit --no-fund --fetch-retries=0 --registry http://${host}:${site.port}/`
        )
      const refused = yield* install("other.test")
      assert.notStrictEqual(refused.exitCode, 0)
      assert.isFalse(existsSync(join(workspace, "node_modules/small-thing")))
      assert.strictEqual(site.seen.requests.length, 0)
      const installed = yield* install("open.test")
      assert.strictEqual(installed.exitCode, 0, installed.stderr)
      assert.include(readFileSync(join(workspace, "node_modules/small-thing/index.js"), "utf8"), "small thing")
      assert.deepStrictEqual(new Set(asked), new Set([`other.test:${site.port}`, `open.test:${site.port}`]))
      const [request] = installed.requests ?? []
      assert.deepInclude(request, { method: "GET", url: `http://open.test:${site.port}/`, status: 200 })
    })
  )

  it.live.skipIf(!pip)("pip installs from an approved index, and from no other", () =>
    Effect.gen(function* () {
      const { run, site, workspace } = yield* proxied({ listener: pythonIndex })
      const install = (host: string) =>
        run(
          "/usr/bin/python3 -m pip install --disable-pip-version-check --no-cache-dir --retries 0 --target lib " +
            `--trusted-host ${host} --index-url http://${host}:${site.port}/simple small-thing`
        )
      assert.notStrictEqual((yield* install("other.test")).exitCode, 0)
      assert.strictEqual(site.seen.requests.length, 0)
      const installed = yield* install("open.test")
      assert.strictEqual(installed.exitCode, 0, installed.stderr)
      assert.include(readFileSync(join(workspace, "lib/small_thing.py"), "utf8"), "small thing")
    })
  )
})
