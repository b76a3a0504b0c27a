/** An account has an absolute directory as its home, also if the environment names none. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { userInfo } from "node:os"
import { fileURLToPath } from "node:url"
import { requires } from "../../../test/requirements.ts"

const another = requires("linux", "root", "reachable")

const found = (env: Readonly<Record<string, string>>, uid?: number): string => {
  const program = fileURLToPath(new URL("programs/home.ts", import.meta.url))
  const { stderr, stdout } = spawnSync(process.execPath, [program], { env, encoding: "utf8", ...(uid && { uid }) })
  assert.strictEqual(stderr, "")
  return stdout
}

describe("HomeDirectory", () => {
  it("is HOME, or the home of the user database if HOME is unset, empty or relative", () => {
    assert.strictEqual(found({ HOME: "/some/home" }), "/some/home")
    for (const env of [{}, { HOME: "" }, { HOME: "." }, { HOME: "some/home" }]) {
      assert.strictEqual(found(env), userInfo().homedir, JSON.stringify(env))
    }
  })

  it.skipIf(another.skip)(`is the root for a user without a name and without HOME${another.suffix}`, () => {
    assert.strictEqual(found({}, 65_533), "/")
    assert.strictEqual(found({ HOME: "/some/home" }, 65_533), "/some/home")
  })
})
