/** Commands that request more than the sandbox gives: real bubblewrap, real sockets, a user who is a function. */
import { ShellPack } from "@bough/pack-shell"
import type { Approval } from "@bough/protocol"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { open, type OpenOptions } from "../src/index.ts"

const bubblewrap = requires("linux", "bubblewrap")

let folder = ""
let root = ""
let server: Server
let port = 0
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "bough-escalation-"))
  root = join(folder, "workspace")
  mkdirSync(join(root, ".git/hooks"), { recursive: true })
  for (const name of ["objects", "refs"]) mkdirSync(join(root, ".git", name))
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n")
  writeFileSync(join(root, ".git/config"), "[core]\n\trepositoryformatversion = 0\n")
  writeFileSync(join(root, ".env"), "SECRET=canary-11f0")
  server = createServer((_, response) => response.end("from the host"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** Opens the tools with a user who approves or denies, and records the requests. */
const opened = async (answers: boolean | null, options: Partial<OpenOptions> = {}) => {
  const approvalRequests: Array<Approval.Request> = []
  const tools = await open(ShellPack.all, {
    root,
    environment: { PATH: "/usr/bin:/bin", HOME: folder },
    network: { allow: [{ host: "localhost", port }] },
    ...(answers === null
      ? {}
      : {
          approve: (request: Approval.Request) => {
            approvalRequests.push(request)
            return answers
          }
        }),
    ...options
  })
  const run = async (command: string, to?: "network" | "write" | "host") => {
    const envelope = await tools.run_command({
      command,
      ...(to === undefined ? {} : { escalate: { to, reason: "it is needed" } })
    })
    return envelope.status === "success"
      ? { ...envelope.result.output, artifacts: envelope.result.artifacts }
      : { stdout: "", exitCode: -1, stderr: JSON.stringify(envelope), remarks: [], artifacts: [] }
  }
  return { asked: approvalRequests, run, [Symbol.asyncDispose]: () => tools[Symbol.asyncDispose]() }
}

describe.skipIf(bubblewrap.skip)(`A command that requests more${bubblewrap.suffix}`, () => {
  const hook = () => existsSync(join(root, ".git/hooks/post-commit"))
  const writeHook = "echo x > .git/hooks/post-commit"

  it("changes protected files only after an approval, and reads no secret even then", thoroughOnly, async () => {
    await using no = await opened(false)
    assert.notStrictEqual((await no.run(writeHook)).exitCode, 0)
    assert.include((await no.run(writeHook, "write")).stderr, "denied")
    assert.isFalse(hook())
    await using yes = await opened(true)
    const ran = await yes.run(`${writeHook}; cat .env; mkdir .bough`, "write")
    assert.isTrue(hook())
    assert.notInclude(ran.stdout, "canary")
    assert.isFalse(existsSync(join(root, ".bough")))
    const [request] = yes.asked
    assert.strictEqual(request?.tier, "Elevated")
    for (const part of [writeHook, root, "settings and hooks", "it is needed"])
      assert.include(request?.preview.render, part)
    // The next command is confined as before.
    assert.notStrictEqual((await yes.run("echo y > .git/hooks/post-commit")).exitCode, 0)
    assert.strictEqual(readFileSync(join(root, ".git/hooks/post-commit"), "utf8"), "x\n")
  })

  it("runs outside of the sandbox only after an approval for that", async () => {
    const outside = join(folder, "outside")
    const command = `touch ${outside}`
    await using no = await opened(false)
    for (const to of [undefined, "write", "network", "host"] as const) await no.run(command, to)
    assert.isFalse(existsSync(outside))
    await using yes = await opened(true)
    await yes.run(command, "network")
    await yes.run(command, "write")
    assert.isFalse(existsSync(outside))
    assert.strictEqual((await yes.run(command, "host")).exitCode, 0)
    assert.isTrue(existsSync(outside))
  })

  it("reaches a host after its approval, or every host after one for the network", thoroughOnly, async () => {
    const fetch = `curl -sS --noproxy '' http://localhost:${port}/`
    await using withoutApprover = await opened(null)
    assert.match(
      (await withoutApprover.run(fetch)).remarks?.join() ?? "",
      /was not reached.*no approver is configured/u
    )
    await using yes = await opened(true)
    const ran = await yes.run(fetch)
    assert.strictEqual(ran.stdout, "from the host")
    assert.deepStrictEqual(
      yes.asked.map(({ reaches }) => reaches),
      [`http://localhost:${port}/`]
    )
    assert.deepInclude(ran.artifacts[1], { _tag: "RequestSent", method: "GET", status: 200 })
    yes.asked.length = 0
    assert.strictEqual((await yes.run(fetch, "network")).stdout, "from the host")
    assert.deepStrictEqual(
      yes.asked.map(({ reaches, tier }) => [reaches, tier]),
      [[undefined, "Elevated"]]
    )
    await using denying = await opened(true, { rules: [`deny run_command host=localhost:${port}`] })
    assert.include((await denying.run(fetch, "network")).remarks?.join(), "denied by the rule")
  })

  it("is covered by a rule about its first words, and by none if it runs more", async () => {
    const outside = join(folder, "outside")
    await using ruled = await opened(null, { rules: ['run_command command="touch *" escalate.to=host'] })
    assert.strictEqual((await ruled.run(`touch ${outside}`, "host")).exitCode, 0)
    assert.isTrue(existsSync(outside))
    for (const more of [
      `&& touch ${outside}2; rm ${outside}`,
      `$(rm ${outside})`,
      `> ${outside}3`,
      "`x`",
      "& rm x",
      "*"
    ]) {
      assert.include((await ruled.run(`touch ${outside} ${more}`, "host")).stderr, "rejected", more)
    }
    assert.include((await ruled.run(`touch ${outside}`, "write")).stderr, "rejected")
    assert.deepStrictEqual(
      [existsSync(outside), existsSync(`${outside}2`), existsSync(`${outside}3`)],
      [true, false, false]
    )
  })

  it("offers the rule for the commands with the same first words", async () => {
    await using no = await opened(false)
    await no.run("git push origin main", "network")
    await no.run("git push $(x)", "network")
    assert.deepStrictEqual(
      no.asked.map(({ rule }) => rule),
      [
        'run_command command="git push *" escalate.to=network',
        'run_command command="git push $(x)" escalate.to=network'
      ]
    )
  })
})
