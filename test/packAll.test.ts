/** The package that installs the command from packed files. */
import { assert, describe, it } from "@effect/vitest"
import * as PackAll from "../build/packAll.ts"

describe("packAll", () => {
  it("needs every package on which the command depends, directly or not, and no other", () => {
    const manifests = PackAll.manifests()
    const names = new Set(PackAll.neededPackages(manifests).map(({ name }) => name))
    assert.isTrue(names.has(PackAll.commandPackage))
    for (const { dependencies = {}, name, peerDependencies = {} } of manifests) {
      if (!names.has(name)) continue
      for (const [other, version] of Object.entries({ ...dependencies, ...peerDependencies })) {
        if (version.startsWith("workspace:")) assert.isTrue(names.has(other), `${name} needs ${other}`)
      }
    }
    assert.isFalse(names.has("@bough/gateway"))
  })

  it("names files as pnpm does", () => {
    assert.strictEqual(PackAll.fileOf({ name: "@bough/pack-git", version: "1.2.3" }), "bough-pack-git-1.2.3.tgz")
  })
})
