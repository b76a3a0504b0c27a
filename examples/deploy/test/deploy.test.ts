/** The example as its reader runs it: the program in a process of its own, on a copy of the site. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"

const example = fileURLToPath(new URL("..", import.meta.url))
const bubblewrap = requires("bubblewrap")

const withSite = (use: (site: string, deployer: (...args: ReadonlyArray<string>) => ProgramResult) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "bough-deploy-"))
  const site = join(folder, "site")
  cpSync(join(example, "site"), site, { recursive: true, filter: (path) => !path.includes("served") })
  try {
    use(site, (...args) => {
      const ended = spawnSync(process.execPath, [join(example, "src/main.ts"), ...args, "--cwd", site], {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: folder, BOUGH_HOME: join(folder, "home") }
      })
      return {
        code: ended.status,
        envelope: ended.stdout === "" ? null : JSON.parse(ended.stdout),
        stderr: ended.stderr
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ProgramResult {
  readonly code: number | null
  readonly envelope: { readonly status: string; readonly error?: { readonly field?: string } } | null
  readonly stderr: string
}

describe("the deploy example", () => {
  it.skipIf(bubblewrap.skip)(`deploys to staging without an approval${bubblewrap.suffix}`, thoroughOnly, () => {
    withSite((site, deployer) => {
      const { code, envelope, stderr } = deployer("call", "deploy", '{"environment":"staging"}')
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(envelope?.status, "success")
      assert.isTrue(existsSync(join(site, "served/staging/index.html")))
    })
  })

  it.skipIf(bubblewrap.skip)(`deploys from a plain program, without Effect${bubblewrap.suffix}`, () => {
    withSite((site) => {
      const ended = spawnSync(process.execPath, [join(example, "src/plain.ts"), site], { encoding: "utf8" })
      assert.strictEqual(ended.stdout, "Deployed to staging\n", ended.stderr)
      assert.isTrue(existsSync(join(site, "served/staging/index.html")))
    })
  })

  it("does not deploy to production without a decision", thoroughOnly, () => {
    withSite((site, deployer) => {
      const { code, envelope } = deployer("call", "deploy", '{"environment":"production"}')
      assert.strictEqual(code, 3)
      assert.strictEqual(envelope?.status, "rejected")
      assert.isFalse(existsSync(join(site, "served")))
    })
  })

  it("names the argument that is wrong", thoroughOnly, () => {
    withSite((_, deployer) => {
      const { code, envelope } = deployer("call", "deploy", '{"environment":"the moon"}')
      assert.strictEqual(code, 1)
      assert.strictEqual(envelope?.error?.field, "environment")
    })
  })

  it("is a tool in under 30 lines, with and without Effect", () => {
    for (const file of ["Deploy.ts", "DeployAsync.ts"]) {
      assert.isBelow(readFileSync(join(example, "src", file), "utf8").split("\n").length, 30, file)
    }
  })
})
