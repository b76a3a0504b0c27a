/** State in a repository's directory that a user's git made, or that a killed process left. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { bubblewrap, fresh } from "./Places.ts"
import { git, repository } from "./Repositories.ts"

const withGit = requires("linux", "bubblewrap", "git")

describe.skipIf(withGit.skip || bubblewrap.skip)(`The state of a repository${withGit.suffix}`, () => {
  it.live("records and replays the resolutions of a user's conflicts", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      git(workspace, "config", "rerere.enabled", "true")
      yield* run(
        "git switch -q -c topic; echo a > file; git commit -qam a; git switch -q main; echo b > file; git commit -qam b"
      )
      const conflict = yield* run("git merge topic")
      assert.include(conflict.stderr, "Recorded preimage for 'file'")
      assert.notInclude(conflict.stderr, "[bough:")
      assert.include(readFileSync(join(workspace, ".git/MERGE_RR"), "utf8"), "\tfile\0")
      assert.include((yield* run("echo ab > file; git commit -qam ab")).stderr, "Recorded resolution for 'file'")
      const again = yield* run("git reset -q --hard HEAD~1; git merge topic; cat file")
      assert.include(again.stdout, "ab\n")
      assert.notInclude(again.stderr, "[bough:")
    })
  )

  it.live("is checked at once, however long the text of a reference or a setting is", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      const long = (character: string) => `head -c 300000 /dev/zero | tr '\\0' '${character}'`
      const { stderr } = yield* run(
        [
          `{ printf 'ref: a'; ${long(" ")}; printf b; } > .git/refs/heads/odd`,
          `git init -q inner; mkdir -p modules/a/objects modules/a/refs; echo 0 > modules/a/HEAD`,
          `${long("\\n")} > modules/a/config; cp modules/a/config inner/.git/config`
        ].join("; ")
      )
      assert.include(stderr, "refs/heads/odd")
      assert.isBelow(stderr.length, 10_000)
    })
  )

  it.live("is checked after the next command if a process was killed before it had checked it", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      git(workspace, "commit", "-q", "--allow-empty", "-m", "second")
      const odd = [
        "GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i --keep-empty HEAD~1",
        "echo 'exec touch ran' >> .git/rebase-merge/git-rebase-todo",
        "git update-index --add --cacheinfo 100755,$(git hash-object -w file),+git/hooks/x",
        "sed -i s,+git/hooks,.git/hooks, .git/index"
      ]
      spawnSync("/bin/sh", ["-c", odd.join("; ")], { cwd: workspace })
      const todo = join(workspace, ".git/rebase-merge/git-rebase-todo")
      const before = readFileSync(todo, "utf8")
      assert.include(before, "exec touch ran")
      yield* run("true")
      assert.strictEqual(readFileSync(todo, "utf8"), before)
      const space = /\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0]
      mkdirSync(join(workspace, `.git/bough/bough-sandbox-${space}-${process.pid}-1-0`), { recursive: true })
      const { stderr } = yield* run("true")
      assert.include(stderr, "would have run touch ran")
      assert.include(stderr, "git/hooks/x")
      assert.notInclude(readFileSync(todo, "utf8"), "exec")
      assert.notInclude(git(workspace, "ls-files").stdout, ".git/hooks")
    })
  )

  it("is read without waiting, with a pipe in place of a file of references", () => {
    const repository = mkdtempSync(join(tmpdir(), "bough-git-"))
    mkdirSync(join(repository, "refs/heads"), { recursive: true })
    spawnSync("mkfifo", [join(repository, "packed-refs")])
    writeFileSync(join(repository, "refs/heads/main"), `${"a".repeat(40)}\n`)
    // A read that waits would stop the whole process, so another one reads.
    const module = new URL("../src/internal/GitReferences.ts", import.meta.url).href
    const program = `import * as References from ${JSON.stringify(module)}
      const path = process.argv[1]
      console.log(JSON.stringify([...References.read(path, References.packedIn(path))]))`
    const ended = spawnSync(
      process.execPath,
      ["--conditions=development", "--input-type=module", "--eval", program, repository],
      { encoding: "utf8", timeout: 120_000, killSignal: "SIGKILL" }
    )
    rmSync(repository, { recursive: true })
    assert.deepStrictEqual([ended.status, ended.stdout.trim()], [0, `[["refs/heads/main","${"a".repeat(40)}"]]`])
  })

  it.live("keeps a HEAD that only a newer git reads", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      const head = "ref: refs/heads/.invalid\n"
      writeFileSync(join(workspace, ".git/HEAD"), head)
      assert.notInclude((yield* run("touch made")).stderr, "[bough:")
      assert.strictEqual(readFileSync(join(workspace, ".git/HEAD"), "utf8"), head)
    })
  )
})
