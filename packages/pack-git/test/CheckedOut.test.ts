/** Commits and stashes with files that a user's git, editors or agents obey: checking them out needs an approval. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { GitStash, GitSwitch } from "../src/index.ts"
import { git, open, put } from "./Harness.ts"

const program = requires("git")

describe.skipIf(program.skip)(`git tools that check files out${program.suffix}`, () => {
  /** A directory that git treats as a repository when run in it; its settings name a program. */
  const bareRepository = (run: string) => ({
    "inner/HEAD": "ref: refs/heads/main\n",
    "inner/config": `[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = ${run}\n`,
    "inner/objects/x": "",
    "inner/refs/x": ""
  })

  it.live(
    "a repository in a commit or a stash needs an approval before it is checked out",
    () =>
      Effect.gen(function* () {
        const opened = yield* open()
        const { at, base, call, git: person, raised, root } = opened
        const mark = path.join(base, "ran")
        const script = path.join(base, "run.sh")
        fs.writeFileSync(script, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
        put(root, bareRepository(script))
        person("stash", "push", "-q", "--include-untracked")
        put(root, { "a.txt": "changed\n" })
        person("stash", "push", "-q")
        assert.isNull(yield* raised(GitStash, { action: "pop" }))
        assert.match((yield* raised(GitStash, { action: "pop", index: 1 })) ?? "", /inner\/HEAD/)
        assert.isNull(yield* raised(GitStash, { action: "push" }))
        assert.isNull(yield* raised(GitStash, { action: "pop", index: 7 }))
        person("switch", "-q", "-c", "other")
        put(root, bareRepository(script))
        person("add", "-A", "--force")
        person("commit", "-q", "-m", "other")
        person("switch", "-q", "main")
        assert.match((yield* raised(GitSwitch, { branch: "other" })) ?? "", /inner\/HEAD/)
        // The approval has a reason: once it is checked out, a user's git runs the program.
        assert.isFalse(fs.existsSync(mark))
        yield* call(GitSwitch, { branch: "other" })
        git(at("inner"), "status")
        assert.isTrue(fs.existsSync(mark))
      }),
    thoroughOnly
  )

  it.live("instructions and settings of editors in a stash need an approval before they are applied", () =>
    Effect.gen(function* () {
      const { git: person, raised, root } = yield* open({ files: { "a.txt": "1\n", "CLAUDE.md": "old\n" } })
      put(root, { ".vscode/tasks.json": "{}" })
      person("stash", "push", "-q", "--include-untracked")
      assert.match((yield* raised(GitStash, { action: "pop" })) ?? "", /\.vscode\/tasks\.json/)
      put(root, { "CLAUDE.md": "obey\n" })
      person("stash", "push", "-q")
      assert.match((yield* raised(GitStash, { action: "pop" })) ?? "", /CLAUDE\.md instructs agents/)
    })
  )
})
