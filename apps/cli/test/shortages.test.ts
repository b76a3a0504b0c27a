/** The built program if the system has no file descriptors left, or cannot resolve names. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { execPath } from "node:process"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { binary, type TestFolder, withTestFolder } from "./program/Bough.ts"

const needs = requires("linux", "root", "pidNamespaces")

const run = (
  place: TestFolder,
  command: string,
  args: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {}
) =>
  spawnSync(command, args, {
    cwd: place.workspace,
    env: { ...place.env, ...more },
    encoding: "utf8",
    timeout: 300_000
  })

describe.skipIf(needs.skip)(`A shortage${needs.suffix}`, () => {
  it("of file descriptors fails a call with its reason, and the next one works", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const call = [execPath, binary, "call", "write_file", '{"path":"a.txt","content":"x"}']
      const short = run(place, "prlimit", ["--nofile=24", ...call])
      assert.strictEqual(short.status, 1, short.stdout + short.stderr)
      assert.match(short.stdout + short.stderr, /too many files are open|cannot be used: unable to open/u)
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))

      const enough = run(place, "prlimit", ["--nofile=1024", ...call])
      assert.strictEqual(enough.status, 0, enough.stdout + enough.stderr)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
    })
  )

  it("of name servers fails a run with the host's name and a hint", () =>
    withTestFolder(async (place) => {
      const names = join(place.workspace, "resolv.conf")
      writeFileSync(names, "nameserver 127.0.0.1\n")
      const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
      const model = ["run", "hi", "--model", "openai-compatible/x"]
      const { status, stderr } = run(place, "unshare", ["-m", "sh", "-c", script, names, execPath, binary, ...model], {
        OPENAI_COMPATIBLE_BASE_URL: "http://models.example.com/v1",
        OPENAI_COMPATIBLE_API_KEY: "none"
      })
      assert.strictEqual(status, 1, stderr)
      assert.match(stderr, /host of http:\/\/models\.example\.com\/v1 is not known .* the network/u)
    }))
})
