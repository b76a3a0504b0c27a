/** The previews and judged facts of the git tools, and what their handlers then ask of the repository. */
import type { RepositoryPush, RepositoryRead, RepositoryWrite, Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { GitBranch, GitListBranches, GitPush, GitStash, GitSwitch, OpenPullRequest } from "../src/index.ts"
import { words } from "./Harness.ts"
import { commit, missing, open } from "./StandInRepository.ts"

const first = commit("a", "first")
const second = commit("b", "second")
const url = "https://example.invalid/ada/engine.git"

const file: Omit<RepositoryRead.FileDiff, "hunks"> = {
  path: "a.txt",
  from: null,
  change: "modified",
  added: 1,
  deleted: 2
}

const keyed = (preview: Tool.Preview): ReadonlyArray<Tool.Fact> =>
  preview.preconditions.flatMap((one) => ("key" in one ? [one] : []))

describe("git_push", () => {
  const outgoing: RepositoryRead.OutgoingChanges = {
    remote: "origin",
    url,
    branch: "main",
    to: second.id,
    from: first.id,
    diverged: false,
    commits: [second],
    truncated: false,
    files: [file]
  }

  const pushing = (shown: RepositoryRead.OutgoingChanges) => {
    const state = { now: shown }
    const sent: Array<RepositoryPush.PushOptions> = []
    const tools = open({
      read: { outgoing: () => Effect.sync(() => state.now) },
      push: { push: (options) => Effect.sync(() => (sent.push(options), { url, answer: "" })) }
    })
    return { ...tools, sent, state }
  }

  it.effect("shows the commits and files, and whether commits of the remote are lost", () =>
    Effect.gen(function* () {
      const shown = (parts: Partial<RepositoryRead.OutgoingChanges>, replace = false) =>
        Effect.map(pushing({ ...outgoing, ...parts }).preview(GitPush, { replace }), ({ render }) => render)
      assert.strictEqual(
        yield* shown({}),
        `push main to origin, ${url}\naaaaaaaaaa → bbbbbbbbbb\n\nbbbbbbbbbb 1970-01-01 Ada: second\n\nmodified a.txt +1 -2\n`
      )
      assert.include(yield* shown({ from: null }), "\nnew, at bbbbbbbbbb\n")
      assert.include(yield* shown({ commits: [], files: [] }), "\nnothing new\n")
      assert.include(yield* shown({ truncated: true }), "\nand more commits\n")
      assert.include(yield* shown({ diverged: true }), "it has commits that are not here: it will refuse")
      assert.include(yield* shown({ diverged: true }, true), "commits there that are not here are lost")
      assert.notInclude(yield* shown({}, true), "are lost")
    })
  )

  it.effect("sends the commit that was shown, and replaces only the commit that was shown, if told to", () =>
    Effect.gen(function* () {
      const { execute, preview, sent, state } = pushing(outgoing)
      const facts = keyed(yield* preview(GitPush, {}))
      const { output, text } = yield* execute(GitPush, {}, facts)
      assert.strictEqual(text, "Pushed main to origin at bbbbbbbbbb")
      assert.deepStrictEqual(output, { remote: "origin", url, branch: "main", commit: second.id, answer: "" })
      yield* execute(GitPush, { replace: true }, facts)
      assert.deepStrictEqual(sent, [
        { remote: "origin", branch: "main", commit: second.id, replaces: null },
        { remote: "origin", branch: "main", commit: second.id, replaces: first.id }
      ])
      for (const moved of [{ to: first.id }, { from: second.id }, { url: "ssh://elsewhere.invalid/x" }]) {
        state.now = { ...outgoing, ...moved }
        const error = yield* Effect.flip(execute(GitPush, {}, facts))
        assert.match(words(error), /^ExecutionError not done: the repository has changed since .*push origin main/)
      }
      assert.lengthOf(sent, 2)
    })
  )
})

describe("open_pull_request", () => {
  const proposal: RepositoryRead.Proposal = {
    remote: "origin",
    url,
    branch: "topic",
    to: second.id,
    pushed: null,
    into: "origin",
    intoUrl: url,
    base: "main",
    baseCommit: first.id,
    commits: [second],
    truncated: false,
    files: [file]
  }

  it.effect("shows a fork, the commits and the push, and opens nothing once the repository has changed", () =>
    Effect.gen(function* () {
      const state = { now: proposal }
      const requests: Array<RepositoryRead.ProposalOptions> = []
      const opened: Array<RepositoryPush.PullRequestOptions> = []
      const { execute, preview } = open({
        read: { proposal: (options) => Effect.sync(() => (requests.push(options), state.now)) },
        push: {
          openPullRequest: (options) => Effect.sync(() => (opened.push(options), { url: `${url}/pull/7`, number: 7 }))
        }
      })
      const parameters = { title: "Digits", body: "Shorter.", draft: true, remote: "origin", into: "upstream" }
      const own = yield* preview(OpenPullRequest, parameters)
      assert.strictEqual(
        own.render,
        `draft: Digits\ntopic at bbbbbbbbbb into main, ${url}\npushes topic to origin, ${url}\n\nShorter.\n\nbbbbbbbbbb 1970-01-01 Ada: second\n\nmodified a.txt +1 -2\n`
      )
      assert.deepStrictEqual(requests, [{ base: null, branch: null, into: "upstream", remote: "origin", limit: 50 }])
      state.now = { ...proposal, into: "upstream", pushed: second.id, truncated: true }
      const forked = yield* preview(OpenPullRequest, parameters)
      assert.include(forked.render, "\norigin/topic at bbbbbbbbbb into upstream/main, ")
      assert.include(forked.render, "\nand more commits\n")
      assert.notInclude(forked.render, "pushes topic")
      const { output } = yield* execute(OpenPullRequest, parameters, keyed(forked))
      assert.strictEqual(output.number, 7)
      const { body, draft, title } = parameters
      assert.deepStrictEqual(opened, [
        { remote: "origin", branch: "topic", commit: second.id, into: "upstream", base: "main", title, body, draft }
      ])
      for (const moved of [
        { to: first.id },
        { baseCommit: second.id },
        { intoUrl: "https://elsewhere.invalid/x" },
        { url: "https://elsewhere.invalid/x" },
        { base: "next" }
      ]) {
        state.now = { ...proposal, into: "upstream", ...moved }
        const error = yield* Effect.flip(execute(OpenPullRequest, parameters, keyed(forked)))
        assert.match(words(error), /not done: the repository has changed since this call was judged/)
      }
      assert.lengthOf(opened, 1)
    })
  )
})

describe("git_branch, git_switch and git_stash", () => {
  /** A repository whose names resolve as in `names`, which may change. */
  const named = (names: Record<string, RepositoryRead.Commit>) => {
    const made: Array<RepositoryWrite.BranchOptions | RepositoryWrite.SwitchOptions | RepositoryWrite.UnstashOptions> =
      []
    const record = <A>(options: (typeof made)[number], answer: A) => Effect.sync(() => (made.push(options), answer))
    const tools = open({
      read: {
        commit: (revision) => {
          const found = names[revision]
          return found === undefined ? missing("commit") : Effect.succeed(found)
        }
      },
      write: {
        createBranch: (options) => record(options, { commit: first.id }),
        switchTo: (options) => record(options, { branch: options.branch, commit: first.id, files: ["a.txt"] }),
        unstash: (options) => record(options, { index: options.index, subject: "mine" }),
        stashes: Effect.succeed([{ index: 0, subject: "mine" }])
      }
    })
    return { ...tools, made }
  }

  it.effect("a branch starts at the commit that was shown", () =>
    Effect.gen(function* () {
      const names: Record<string, RepositoryRead.Commit> = { HEAD: second, other: first }
      const { classify, execute, findExisting, made, preview } = named(names)
      const shown = yield* preview(GitBranch, { name: "topic", from: "other" })
      assert.strictEqual(shown.render, "make the branch topic at aaaaaaaaaa 1970-01-01 Ada: first\n")
      const { facts } = yield* classify(GitBranch, { name: "topic", from: "other" })
      assert.deepStrictEqual(facts, [{ key: "start of the branch topic", digest: first.id }])
      names["other"] = second
      yield* execute(GitBranch, { name: "topic", from: "other" }, facts)
      assert.deepStrictEqual(made, [{ name: "topic", from: first.id }])
      assert.isNull(yield* findExisting(GitBranch, { name: "topic" }))
      names["refs/heads/topic"] = first
      assert.isNull(yield* findExisting(GitBranch, { name: "topic" }))
      names["refs/heads/topic"] = second
      assert.strictEqual((yield* findExisting(GitBranch, { name: "topic" }))?.output.commit, second.id)
    })
  )

  it.effect("a switch and a stash entry are bound to the commit that was shown", () =>
    Effect.gen(function* () {
      const { execute, made } = named({})
      const fact = { key: "branch topic", digest: first.id }
      assert.strictEqual(
        (yield* execute(GitSwitch, { branch: "topic" }, [fact])).text,
        "On topic at aaaaaaaaaa; 1 file changed"
      )
      yield* execute(GitStash, { action: "pop", index: 1 }, [{ key: "stash@{1}", digest: second.id }])
      yield* execute(GitStash, { action: "pop" }, [{ key: "stash@{0}", digest: "none" }])
      assert.deepStrictEqual(made, [
        { branch: "topic", at: first.id },
        { index: 1, at: second.id },
        { index: 0, at: null }
      ])
    })
  )

  it.effect("stash entries and stashing are shown", () =>
    Effect.gen(function* () {
      const { classify, execute, preview } = named({})
      assert.deepStrictEqual(yield* classify(GitStash, { action: "list" }), { tier: "Workspace" })
      assert.strictEqual((yield* preview(GitStash, { action: "list" })).render, "list the stash entries\n")
      assert.strictEqual((yield* execute(GitStash, { action: "list" })).text, "0 mine")
      const shown = yield* preview(GitStash, { action: "push", untracked: true, message: "half" })
      assert.strictEqual(shown.render, "stash uncommitted changes and new files: half\n")
      const none = yield* preview(GitStash, { action: "pop", index: 3 })
      assert.strictEqual(none.render, "apply stash@{3}, which does not exist\n")
    })
  )

  it.effect("branches are listed with their upstreams", () =>
    Effect.gen(function* () {
      const branch = (name: string, upstream: RepositoryRead.Upstream | null): RepositoryRead.Branch => ({
        name,
        commit: first.id,
        isCurrent: name === "main",
        upstream,
        subject: "first",
        atMillis: 0
      })
      const all = [
        branch("main", { name: "origin/main", ahead: 2, behind: 1 }),
        branch("old", { name: "origin/old", ahead: null, behind: null }),
        branch("topic", null)
      ]
      const { execute } = open({ read: { branches: (limit) => Effect.succeed(all.slice(0, limit)) } })
      const { display, text } = yield* execute(GitListBranches, {})
      assert.strictEqual(display, "3 branches")
      assert.deepStrictEqual(text.split("\n"), [
        "* main aaaaaaaaaa first (follows origin/main, 2 ahead, 1 behind)",
        "- old aaaaaaaaaa first (follows origin/old, which no longer exists)",
        "- topic aaaaaaaaaa first"
      ])
      assert.strictEqual((yield* execute(GitListBranches, { limit: 1 })).display, "1 branch")
      assert.strictEqual(
        (yield* open({ read: { branches: () => Effect.succeed([]) } }).execute(GitListBranches, {})).text,
        "[no branch]"
      )
    })
  )
})
