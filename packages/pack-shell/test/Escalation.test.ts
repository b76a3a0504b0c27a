/** How a model learns which permission a failed command lacked. */
import { assert, describe, it } from "@effect/vitest"
import * as Escalation from "../src/Escalation.ts"
import * as NetworkUse from "../src/NetworkUse.ts"

const hint = (stderr: string, changes: Partial<Parameters<typeof Escalation.hint>[0]> = {}): string | null =>
  Escalation.hint({ exitCode: 1, stdout: "", stderr, granted: null, hasProxy: true, ...changes })

describe("The hint after a failed command", () => {
  const unresolved = [
    "npm error code EAI_AGAIN",
    "curl: (6) Could not resolve host: example.com",
    "getaddrinfo ENOTFOUND example.com",
    "ssh: Could not resolve hostname x: Temporary failure in name resolution",
    "connect: Network is unreachable"
  ]
  for (const text of unresolved) {
    it(`says how to request a network: ${text}`, () => {
      assert.match(hint(text) ?? "", /only through the proxy.*escalate to "host"/u)
      assert.match(hint(text, { hasProxy: false }) ?? "", /commands have no network; use escalate/u)
    })
  }

  it("says how to request writing, and what to do if that is not enough", () => {
    const text = "touch: cannot touch '.git/hooks/x': Read-only file system"
    assert.match(hint(text) ?? "", /read-only for commands; use escalate to "write"/u)
    assert.match(hint("EROFS: no", { granted: "write" }) ?? "", /use escalate to "host"/u)
  })

  it("says how to request a denied operation", () => {
    assert.match(hint("mount: Operation not permitted") ?? "", /escalate to "host"/u)
    assert.match(hint("", { stdout: "Error: EPERM, open" }) ?? "", /escalate to "host"/u)
  })

  it("is missing for a command that succeeded, that runs as the user, or that failed otherwise", () => {
    assert.isNull(hint("EAI_AGAIN", { exitCode: 0 }))
    assert.isNull(hint("EAI_AGAIN", { granted: "host" }))
    assert.isNull(hint("1 test failed"))
    assert.isNull(hint("PERMEPERMIT"))
  })
})

describe("An approval of an escalation", () => {
  it.each(["network", "write", "host"] as const)(
    "does not repeat the effect of its preview in its reason: %s",
    (to) => {
      const reason = Escalation.purposes[to]
      assert.isBelow(reason.length, 30)
      assert.notInclude(reason, Escalation.gainOf(to, "git push"))
    }
  )
})

describe("Hosts that were refused", () => {
  const refused = (url: string, reason: string) => ({ method: "CONNECT", url, status: null, bytes: 0, refused: reason })

  it("are named with the reason, five at most, and how to request those that no rule names", () => {
    const many = Array.from({ length: 7 }, (_, at) => refused(`https://h${at}.test/`, "no rule lets commands reach it"))
    const lines = NetworkUse.remarks(many)
    assert.lengthOf(lines, 6)
    assert.match(lines[0] ?? "", /h0\.test.*use escalate to "network"/u)
    assert.match(lines[5] ?? "", /2 more hosts/u)
    assert.notInclude(NetworkUse.remarks([refused("https://a.test/", "denied by the rule")]).join(), "escalate")
  })

  it("are not artifacts; the sent data is", () => {
    const sent = { method: "GET", url: "http://a.test/", status: 200, bytes: 90, refused: null }
    assert.deepStrictEqual(NetworkUse.artifacts([sent, refused("https://b.test/", "no")]), [
      { _tag: "RequestSent", method: "GET", url: "http://a.test/", status: 200, bytes: 90 }
    ])
  })
})

describe("A command with write access", () => {
  it.each([
    ["git config user.name ada", true],
    ["cd web && npx husky install", true],
    ["rm .git/hooks/pre-commit", true],
    ["pre-commit install", true],
    ["echo more >> AGENTS.md", false],
    ["code --install digit legit-tool", false],
    ["npm run github-release", false]
  ])("may change settings and hooks of repositories only if its text is about git: %s", (command, expected) => {
    assert.deepStrictEqual(Escalation.grantOf("write", command), { _tag: "Write", repositories: expected })
    assert.strictEqual(Escalation.gainOf("write", command).includes("hooks"), expected)
  })
})
