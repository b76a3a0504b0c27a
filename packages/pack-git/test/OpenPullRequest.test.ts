/** Requests to merge over a real repository and a real remote; the host's program is a script that records its call. */
import type { ToolError } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { OpenPullRequest } from "../src/index.ts"
import { git, open, put, words } from "./Harness.ts"
import { topicBranch } from "./topicBranch.ts"

const program = requires("git")

/** Records arguments, input, folder and variables, and answers with the files beside it. */
const recorder = `#!/bin/sh
cd_at=$(pwd)
cd "$RECORD" || exit 99
printf '%s\\0' "$@" > argv
printf '%s' "$cd_at" > cwd
env > env
cat > stdin
cat answer
cat said >&2
exit "$(cat code)"
`

interface Host {
  readonly name: "gh" | "glab"
  readonly url: string
  readonly folder: string
}

const gitHub: Host = { name: "gh", url: "https://github.com/ada/engine.git", folder: "ada/engine.git" }
const gitLab: Host = { name: "glab", url: "git@gitlab.com:group/sub/engine.git", folder: "group/sub/engine.git" }

const system = process.env["PATH"] ?? ""

/** Links the programs of the search path in a folder, except those of code hosts. */
const withoutHostPrograms = (folder: string): string => {
  fs.mkdirSync(folder)
  for (const directory of system.split(path.delimiter).filter((one) => fs.existsSync(one))) {
    for (const name of fs.readdirSync(directory)) {
      const link = path.join(folder, name)
      if (name !== "gh" && name !== "glab" && !fs.existsSync(link)) fs.symlinkSync(path.join(directory, name), link)
    }
  }
  return folder
}

const branched = (host: Host, more: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const opened = yield* topicBranch({
      ...host,
      variables: (base) => ({
        RECORD: path.join(base, "record"),
        PATH: `${path.join(base, "bin")}:${withoutHostPrograms(path.join(base, "system"))}`,
        ...more
      })
    })
    const record = path.join(opened.base, "record")
    const script = path.join(opened.base, "bin", host.name)
    fs.mkdirSync(record)
    fs.writeFileSync(script, recorder, { mode: 0o755 })
    const answer = (text: unknown, { code = 0, said = "" } = {}) =>
      put(record, {
        answer: typeof text === "string" ? text : JSON.stringify(text),
        code: String(code),
        said
      })
    const read = (name: string) => fs.readFileSync(path.join(record, name), "utf8")
    return {
      ...opened,
      script,
      answer,
      wasRun: () => fs.existsSync(path.join(record, "argv")),
      read,
      argv: () => read("argv").split("\0").slice(0, -1)
    }
  })

const hintOf = (error: ToolError.ToolError): string => (error as { readonly hint?: string }).hint ?? ""

const toGitHub = [
  "api",
  "--method=POST",
  "--hostname=github.com",
  "--header=Content-Type: application/json",
  "--input=-"
]

describe.skipIf(program.skip)(`open_pull_request${program.suffix}`, () => {
  it.live("shows its commits, pushes them, and passes the request to gh as JSON", () =>
    Effect.gen(function* () {
      const { answer, argv, call, head, preview, read, remote } = yield* branched(gitHub, {
        GH_DEBUG: "api",
        GH_REPO: "x/y"
      })
      const parameters = { title: "Digits", body: "They are *shorter*.", draft: true }
      const { preconditions, render } = yield* preview(OpenPullRequest, parameters)
      assert.match(
        render,
        /^draft: Digits\ntopic at [0-9a-f]{10} into main, https:\/\/github\.com\/ada\/engine\.git\npushes topic to origin, https:\S+\n\nThey are \*shorter\*\.\n\n[0-9a-f]{10} \S+ Ada: Count in digits\n\nmodified a\.txt \+1 -1\nadded b\.txt \+1 -0\n$/
      )
      answer({ html_url: "https://github.com/ada/engine/pull/7", number: 7, head: { sha: head() } })
      const { output, text } = yield* call(OpenPullRequest, parameters)
      assert.deepStrictEqual(
        { ...output },
        { url: "https://github.com/ada/engine/pull/7", number: 7, branch: "topic", base: "main", commit: head() }
      )
      assert.match(text, /^Opened https:\/\/github\.com\/ada\/engine\/pull\/7 for topic at [0-9a-f]{10} into main$/)
      assert.strictEqual(git(remote, "rev-parse", "topic").trim(), head())
      assert.deepStrictEqual(argv(), [...toGitHub, "repos/ada/engine/pulls"])
      assert.deepStrictEqual(JSON.parse(read("stdin")), {
        title: "Digits",
        body: "They are *shorter*.",
        head: "topic",
        base: "main",
        draft: true
      })
      // The program sees no repository; no variable names another repository, and no variable makes it print the data
      // that it sends.
      assert.strictEqual(read("cwd"), "/")
      assert.notMatch(read("env"), /^(?:GH_DEBUG|GH_REPO|GIT_\w+)=/m)
      assert.match(read("env"), /^GH_PROMPT_DISABLED=1$/m)
      // The approval was for these commits; others make it lapse.
      assert.notInclude((yield* preview(OpenPullRequest, parameters)).render, "pushes topic")
      const again = yield* branched(gitHub)
      again.git("commit", "-q", "--allow-empty", "-m", "more")
      assert.notDeepEqual((yield* again.preview(OpenPullRequest, parameters)).preconditions, preconditions)
    })
  )

  it.live(
    "opens a merge request of a nested group with glab",
    () =>
      Effect.gen(function* () {
        const { answer, argv, call, head, read } = yield* branched(gitLab)
        answer({ web_url: "https://gitlab.com/group/sub/engine/-/merge_requests/3", iid: 3, sha: head() })
        const { output } = yield* call(OpenPullRequest, { title: "Digits", draft: true })
        assert.strictEqual(output.number, 3)
        assert.strictEqual(argv().at(-1), "projects/group%2Fsub%2Fengine/merge_requests")
        assert.include(argv(), "--hostname=gitlab.com")
        assert.deepStrictEqual(JSON.parse(read("stdin")), {
          title: "Draft: Digits",
          description: "",
          source_branch: "topic",
          target_branch: "main"
        })
      }),
    thoroughOnly
  )

  it.live(
    "names the owner of a fork as the head",
    () =>
      Effect.gen(function* () {
        const { answer, call, git: run, head, argv, preview, read } = yield* branched(gitHub)
        run("remote", "add", "upstream", "https://github.com/byron/engine.git")
        run("update-ref", "refs/remotes/upstream/main", "main")
        assert.include(
          (yield* preview(OpenPullRequest, { title: "T", remote: "origin", into: "upstream" })).render,
          "into upstream/main, https://github.com/byron/engine.git"
        )
        answer({ html_url: "https://github.com/byron/engine/pull/1", number: 1, head: { sha: head() } })
        yield* call(OpenPullRequest, { title: "T", remote: "origin", into: "upstream" })
        assert.strictEqual(argv().at(-1), "repos/byron/engine/pulls")
        assert.strictEqual((JSON.parse(read("stdin")) as { readonly head: string }).head, "ada:topic")
      }),
    thoroughOnly
  )

  it.live("exists if a program serves the host of a remote, and not otherwise", () =>
    Effect.gen(function* () {
      const { base, git: run, home, lacks, root, script } = yield* branched(gitHub)
      assert.deepStrictEqual(lacks(), {})
      for (const url of [
        "git@gitlab.com:ada/engine.git",
        "/srv/github.com/ada/engine.git",
        "https://example.invalid/a/b"
      ]) {
        run("remote", "set-url", "origin", url)
        assert.deepStrictEqual(
          lacks(),
          { pullRequests: "no remote of the repository is at a host that gh serves" },
          url
        )
      }
      // A host that the user has logged in to.
      put(home, { ".config/gh/hosts.yml": "example.invalid:\n    user: ada\n" })
      assert.deepStrictEqual(lacks(), {})
      // A linked worktree names its repository in files.
      run("worktree", "add", "-q", path.join(base, "linked"))
      fs.rmSync(script)
      assert.match(lacks()["pullRequests"], /no program of a code host is on PATH: install gh/)
      // A program that the agent can write is not the user's own, not even behind a link.
      const own = path.join(root, "gh")
      fs.writeFileSync(own, recorder, { mode: 0o755 })
      fs.symlinkSync(own, script)
      assert.match(lacks()["pullRequests"], /no program of a code host is on PATH/)
      // A program that cannot be run is not the user's own either.
      fs.rmSync(script)
      fs.writeFileSync(script, recorder, { mode: 0o644 })
      assert.match(lacks()["pullRequests"], /no program of a code host is on PATH/)
      const homeless = yield* open({ variables: { PATH: system } })
      assert.deepStrictEqual(homeless.lacks(), { pullRequests: "no home directory is known here" })
    })
  )

  it.live(
    "fails with the next step if no account is logged in, the request exists or the account may not",
    () =>
      Effect.gen(function* () {
        const { answer, call } = yield* branched(gitHub)
        const facts = [
          {
            answered: "",
            code: 4,
            said: "To get started with GitHub CLI, please run:  gh auth login\n",
            message: /^ExecutionError gh: To get started/,
            hint: "the person logs in with: gh auth login --hostname github.com"
          },
          {
            answered: { message: "Bad credentials", status: "401" },
            code: 1,
            said: "gh: Bad credentials (HTTP 401)\n",
            message: /Bad credentials/,
            hint: "the person logs in with: gh auth login --hostname github.com"
          },
          {
            answered: {
              message: "Validation Failed",
              errors: [{ message: "A pull request already exists for ada:topic." }]
            },
            code: 1,
            said: "gh: Validation Failed (HTTP 422)\n",
            message: /gh: Validation Failed; A pull request already exists for ada:topic\. gh: Validation/,
            hint: "the branch has an open request: push to it with git_push"
          },
          {
            answered: { message: "Not Found" },
            code: 1,
            said: "gh: Not Found (HTTP 404)\n\u001B[31mred\u001B[0m\n",
            message: /Not Found \(HTTP 404\) \[31mred/,
            hint: "the account of gh may not open requests in ada/engine: another one logs in with: gh auth login --hostname github.com"
          },
          { answered: "", code: 1, said: "", message: /gh: it failed and printed no message/, hint: "" },
          {
            answered: "<html>",
            code: 0,
            said: "",
            message: /opened the request and did not say where: <html>/,
            hint: "look for it with: gh pr list"
          }
        ]
        for (const { answered, code, hint, message, said } of facts) {
          answer(answered, { code, said })
          const error = yield* Effect.flip(call(OpenPullRequest, { title: "T" }))
          assert.match(words(error), message)
          assert.strictEqual(hintOf(error), hint)
        }
      }),
    thoroughOnly
  )

  it.live(
    "reports a branch that is at another commit at the host",
    () =>
      Effect.gen(function* () {
        const { answer, call, git: run } = yield* branched(gitHub)
        const other = run("rev-parse", "main")
        answer({ html_url: "https://github.com/ada/engine/pull/7", number: 7, head: { sha: other } })
        const error = yield* Effect.flip(call(OpenPullRequest, { title: "T" }))
        assert.match(
          words(error),
          new RegExp(`pull/7 is open, but topic is at ${other.slice(0, 10)} there and not at `)
        )
        assert.match(hintOf(error), /look at the request before it is merged/)
      }),
    thoroughOnly
  )

  it.live(
    "opens nothing if the branch cannot be brought to the commit",
    () =>
      Effect.gen(function* () {
        const { base, call, remote, wasRun } = yield* branched(gitHub)
        git(base, "clone", "-q", "-b", "main", remote, "other")
        const other = path.join(base, "other")
        git(other, "switch", "-q", "-c", "topic")
        git(other, "commit", "-q", "--allow-empty", "-m", "theirs")
        git(other, "push", "-q", "origin", "topic")
        assert.match(words(yield* Effect.flip(call(OpenPullRequest, { title: "T" }))), /the push to \S+ failed/)
        assert.isFalse(wasRun())
      }),
    thoroughOnly
  )

  it.live("accepts only a title of one line, and no text of a model is an argument", () =>
    Effect.gen(function* () {
      const { answer, argv, call, git: run, head, preview, read, root, wasRun } = yield* branched(gitHub)
      for (const title of [
        "one\ntwo",
        "a\u0000b",
        "\u001B[2J",
        " ",
        "\u202Eevil",
        "a\u2028b",
        "a\u200Eb",
        "a\u061Cb",
        "a\u200Bb",
        "x".repeat(257)
      ]) {
        const error = yield* Effect.flip(call(OpenPullRequest, { title }))
        assert.match(words(error), /^ValidationError write (?:one line|at most 256)/, JSON.stringify(title))
        assert.match(words(yield* Effect.flip(preview(OpenPullRequest, { title }))), /^ValidationError write/)
      }
      assert.match(
        words(yield* Effect.flip(call(OpenPullRequest, { title: "T", body: "\u00E4".repeat(30_001) }))),
        /^ValidationError write at most 60000 bytes/
      )
      for (const named of [
        { branch: "--force" },
        { base: "-x" },
        { remote: "--exec=x" },
        { into: "-u" },
        { base: "a..b" }
      ]) {
        assert.match(words(yield* Effect.flip(call(OpenPullRequest, { title: "T", ...named }))), /^ValidationError/)
      }
      assert.isFalse(wasRun())
      // Names and texts that git accepts, and that look like options, commands and files.
      const branch = "a--b;$(touch${IFS}x)`touch${IFS}y`@file"
      run("branch", "-q", branch)
      answer({ html_url: "https://github.com/ada/engine/pull/8", number: 8, head: { sha: head() } })
      const parameters = { title: "--input=/etc/passwd $(touch z)", body: "@/etc/passwd\n\u001B[31m-", branch }
      yield* call(OpenPullRequest, parameters)
      assert.deepStrictEqual(argv(), [...toGitHub, "repos/ada/engine/pulls"])
      const sent = JSON.parse(read("stdin")) as Readonly<Record<string, unknown>>
      assert.deepStrictEqual([sent["title"], sent["body"], sent["head"]], [parameters.title, parameters.body, branch])
      for (const name of ["x", "y", "z"]) assert.isFalse(fs.existsSync(path.join(root, name)))
    })
  )

  it.live(
    "refuses a repository name that would be another path at the host",
    () =>
      Effect.gen(function* () {
        const { call, git: run, wasRun } = yield* branched(gitHub)
        for (const url of [
          "https://github.com/../user",
          "https://github.com/ada/engine?x=1",
          "https://github.com/ada/%2e%2e",
          "https://github.com/ada",
          "https://-oProxyCommand/ada/engine",
          'ext::sh -c "false" github.com/ada/engine'
        ]) {
          run("remote", "set-url", "origin", url)
          const error = yield* Effect.flip(call(OpenPullRequest, { title: "T" }))
          assert.match(words(error), /^ValidationError .* names no repository at a host/, url)
        }
        assert.isFalse(wasRun())
      }),
    thoroughOnly
  )

  it.live(
    "needs a known base and commits that it lacks",
    () =>
      Effect.gen(function* () {
        const { call, git: run } = yield* branched(gitHub)
        const textsOf = (parameters: { readonly branch?: string; readonly base?: string }) =>
          Effect.map(Effect.flip(call(OpenPullRequest, { title: "T", ...parameters })), words)
        assert.match(yield* textsOf({ base: "next" }), /origin has no branch "next", as last fetched: git fetch origin/)
        assert.match(yield* textsOf({ branch: "main" }), /"main" cannot be merged into itself/)
        run("branch", "-q", "old", "main")
        assert.match(yield* textsOf({ branch: "old" }), /origin\/main has every commit of "old"/)
        run("update-ref", "-d", "refs/remotes/origin/main")
        assert.match(yield* textsOf({}), /name the base: which branch origin checks out is not known here/)
      }),
    thoroughOnly
  )
})
