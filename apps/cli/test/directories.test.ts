/**
 * Missing, removed and unwritable directories: commands that need none of them work, and the others name the directory.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { binary, bough, withTestFolder } from "./program/Bough.ts"
import { faultsOf, faultsOfAll, offline } from "./program/Faults.ts"

const account = requires("linux", "root", "reachable")

describe("directories", () => {
  it("refuses a missing workspace, whether the command works in it or not", () =>
    withTestFolder(async (place) => {
      const commands = [
        ["tools"],
        ["tools", "show", "read_file"],
        ["tools", "schema", "--for", "mcp"],
        ["skills"],
        ["sessions", "show", "a"],
        ["approvals"],
        ["policy"],
        ["memory"],
        ["config", "schema"],
        ["config", "path"],
        ["doctor"],
        []
      ]
      const says = /cannot work in nope: .* — give --cwd an existing directory/
      assert.deepStrictEqual(
        await faultsOfAll(
          place,
          commands.map((args) => ({ args: [...args, "--cwd", "nope"], code: 2, says }))
        ),
        []
      )
    }))

  it("reports that the current directory was removed, and works in another one", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const gone = join(place.root, "gone")
      const inGone = (line: string) => {
        mkdirSync(gone)
        const words = ["-c", `rmdir "$PWD" && exec "$0" "$1" ${line}`, process.execPath, binary]
        const env = { ...place.env, PWD: gone }
        return spawnSync("sh", words, { cwd: gone, env, encoding: "utf8" })
      }
      const refused = inGone("sessions")
      assert.deepStrictEqual([refused.status, refused.stdout], [2, ""])
      assert.match(
        refused.stderr,
        /^bough: cannot work in this directory: there is no file or directory .*gone — give --cwd .*\n$/
      )
      assert.strictEqual(inGone("tools").status, 0)
      assert.strictEqual(inGone(`sessions --cwd ${place.workspace}`).status, 0)
    })
  )

  it.skipIf(account.skip)(`refuses a workspace that its user may not read${account.suffix}`, () =>
    withTestFolder(async (place) => {
      chmodSync(place.root, 0o755)
      const closed = join(place.root, "closed")
      mkdirSync(closed, { mode: 0o711 })
      const { status, stderr } = spawnSync(process.execPath, [binary, "skills"], {
        cwd: closed,
        env: { ...place.env, BOUGH_HOME: join(place.root, "none") },
        uid: 65_534,
        encoding: "utf8"
      })
      assert.strictEqual(status, 2)
      assert.match(stderr, /^bough: cannot work in this directory: permission denied: .*closed — give --cwd .*\n$/)
    })
  )

  it("reports that its home cannot be used", () =>
    withTestFolder(async (place) => {
      const file = join(place.root, "file")
      writeFileSync(file, "")
      const args = ["run", ...offline, "what time is it"]
      const ended = await bough(place, args, { env: { BOUGH_HOME: join(file, "home") } })
      assert.deepStrictEqual(faultsOf(ended, { args, code: 1, says: /cannot be used: .* — / }), [])
    }))

  it.skipIf(process.platform !== "linux")("ends if no directory can be created, and names it", () =>
    withTestFolder(async (place) => {
      const run = await bough(place, ["run", ...offline, "--format", "json", "what time is it"])
      const { sessionId } = JSON.parse(run.stdout) as { readonly sessionId: string }
      const says = /no directory can be created at \/proc\/nope — /
      const proc = { BOUGH_HOME: "/proc/nope/home", NODE_COMPILE_CACHE: "" }
      const faults = await faultsOfAll(place, [
        { args: ["sessions"], code: 1, says, options: { env: proc } },
        { args: ["run", ...offline, "hi"], code: 1, says, options: { env: { HOME: "/proc/nope" } } },
        { args: ["config", "set", "model", "a/b"], code: 1, says, options: { env: { XDG_CONFIG_HOME: "/proc/nope" } } },
        { args: ["sessions", "export", sessionId, "--to", "/proc/nope/a/b"], code: 1, says },
        { args: ["memory", "export", "/proc/nope/notes"], code: 1, says }
      ])
      assert.deepStrictEqual(faults, [])
    })
  )
})
