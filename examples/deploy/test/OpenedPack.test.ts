/** Tests of the example's tools in a plain program: a copy of the site is deployed, by its own script. */
import { FilesPack } from "@bough/pack-files"
import { open } from "@bough/sdk"
import { ToolPack } from "@bough/tool"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Deploy } from "../src/Deploy.ts"
import { DeployAsync } from "../src/DeployAsync.ts"

const example = fileURLToPath(new URL("..", import.meta.url))

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bough-deploy-"))
  for (const file of ["deploy.sh", "index.html"]) cpSync(join(example, "site", file), join(root, file))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

// On the host, so that these tests need no sandbox: every command needs an approval.
const options = (approve: boolean) => ({
  root,
  execution: { backend: "host" } as const,
  environment: { PATH: process.env["PATH"] },
  approve: () => approve
})

const served = (environment: string): string => join(root, "served", environment, "index.html")

describe("the deploy example, opened", () => {
  it.each([
    ["with Effect", Deploy],
    ["without Effect", DeployAsync]
  ] as const)("%s, the tool runs the script and returns its output", async (_how, tool) => {
    await using tools = await open(ToolPack.make(tool), options(true))
    const envelope = await tools.deploy({ environment: "staging" })
    assert.deepStrictEqual(envelope.status === "success" ? envelope.result : envelope, {
      output: { log: "index.html is served from staging\n" },
      text: '{"log":"index.html is served from staging\\n"}',
      display: "Deployed to staging",
      artifacts: []
    })
    assert.isTrue(existsSync(served("staging")))
  })

  it("nothing is deployed without an approval", async () => {
    await using tools = await open(ToolPack.make(Deploy), options(false))
    assert.strictEqual((await tools.deploy({ environment: "production" })).status, "rejected")
    assert.isFalse(existsSync(join(root, "served")))
  })

  it.each([Deploy, DeployAsync])("a script that fails is an error with its output", async (tool) => {
    writeFileSync(join(root, "deploy.sh"), "echo the server is full >&2; exit 3")
    await using tools = await open(ToolPack.make(tool), options(true))
    const envelope = await tools.deploy({ environment: "staging" })
    assert.deepInclude(envelope.status === "error" ? envelope.error : {}, { message: "the server is full\n" })
  })

  it("works beside the file tools", async () => {
    await using tools = await open(ToolPack.merge(FilesPack.all, ToolPack.make(Deploy)), options(true))
    await tools.write_file({ path: "index.html", content: "new" })
    await tools.deploy({ environment: "staging" })
    assert.strictEqual(readFileSync(served("staging"), "utf8"), "new")
  })
})
