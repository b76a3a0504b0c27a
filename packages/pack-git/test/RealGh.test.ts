/** Requests to merge with the real `gh`, which is led to a stand-in for the API of GitHub. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { OpenPullRequest } from "../src/index.ts"
import { git, put, words } from "./Harness.ts"
import * as StandInGitHub from "./StandInGitHub.ts"
import { topicBranch } from "./topicBranch.ts"

const programs = requires("git", "gh", "openssl")

const enterprise = "git.example.test"

const existing = {
  message: "Validation Failed",
  errors: [{ resource: "PullRequest", code: "custom", message: "A pull request already exists for ada:topic." }],
  documentation_url: "https://docs.github.com/rest/pulls/pulls#create-a-pull-request"
}

/** A host that knows one account and takes one request a branch, at the commit that the branch has there. */
const hosted = (host: string, variables: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(tmpdir(), "bough-gh-"))),
      (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
    )
    const opened = new Set<string>()
    let remote = ""
    const server = yield* StandInGitHub.serve(folder, ["api.github.com", enterprise], ({ authorization, body }) => {
      if (authorization !== "token right") return { status: 401, body: { message: "Bad credentials" } }
      const { head } = body as { readonly head: string }
      if (opened.has(head)) return { status: 422, body: existing }
      opened.add(head)
      const sha = git(remote, "rev-parse", head).trim()
      return { status: 201, body: { html_url: `https://${host}/ada/engine/pull/7`, number: 7, head: { sha } } }
    })
    const branch = yield* topicBranch({
      url: `https://${host}/ada/engine.git`,
      folder: "ada/engine.git",
      variables: () => ({ ...server.variables, ...variables })
    })
    remote = branch.remote
    return { ...branch, received: server.received }
  })

const parameters = { title: "Digits", body: "They are *shorter*. @/etc/passwd", draft: true }

describe.skipIf(programs.skip)(`open_pull_request with gh${programs.suffix}`, thoroughOnly, () => {
  it.live("opens one request at github.com with the user's token, and reports the second as existing", () =>
    Effect.gen(function* () {
      const { call, head, lacks, received } = yield* hosted("github.com", { GH_TOKEN: "right", GH_DEBUG: "api" })
      assert.deepStrictEqual(lacks(), {})
      const { output } = yield* call(OpenPullRequest, parameters)
      assert.deepStrictEqual(
        { ...output },
        { url: "https://github.com/ada/engine/pull/7", number: 7, branch: "topic", base: "main", commit: head() }
      )
      const { draft, ...texts } = parameters
      assert.deepStrictEqual(received, [
        {
          host: "api.github.com",
          method: "POST",
          path: "/repos/ada/engine/pulls",
          authorization: "token right",
          body: { ...texts, head: "topic", base: "main", draft }
        }
      ])
      const again = yield* Effect.flip(call(OpenPullRequest, parameters))
      assert.match(words(again), /A pull request already exists for ada:topic\./)
      assert.deepInclude(again, { hint: "the branch has an open request: push to it with git_push" })
    })
  )

  it.live("says how to log in without a token and with a wrong one", () =>
    Effect.gen(function* () {
      for (const [variables, said] of [
        [{}, /gh auth login/],
        [{ GH_TOKEN: "wrong" }, /Bad credentials/]
      ] as const) {
        const { call } = yield* hosted("github.com", variables)
        const error = yield* Effect.flip(call(OpenPullRequest, parameters))
        assert.match(words(error), said)
        assert.deepInclude(error, { hint: "the person logs in with: gh auth login --hostname github.com" })
      }
    })
  )

  it.live("opens a request at a host of the user's own, which gh is logged in to", () =>
    Effect.gen(function* () {
      const { call, head, home, lacks, received } = yield* hosted(enterprise, {})
      put(home, {
        ".config/gh/hosts.yml": `${enterprise}:\n    user: ada\n    oauth_token: right\n    git_protocol: https\n`
      })
      assert.deepStrictEqual(lacks(), {})
      const { output } = yield* call(OpenPullRequest, parameters)
      assert.strictEqual(output.commit, head())
      assert.deepStrictEqual(
        received.map((one) => `${one.host}${one.path}`),
        [`${enterprise}/api/v3/repos/ada/engine/pulls`]
      )
    })
  )
})
