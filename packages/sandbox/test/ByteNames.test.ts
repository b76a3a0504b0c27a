/** Entries whose names are not UTF-8, which arguments of programs and paths of Node cannot name. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bubblewrap, fresh } from "./Places.ts"
import { repository } from "./Repositories.ts"

const shell = (directory: string, script: string): string =>
  spawnSync("bash", ["-c", script], { cwd: directory, encoding: "utf8" }).stdout

/** Everything in the workspace that git, an editor or an agent would find, except the workspace's own repository. */
const findable = (workspace: string): string =>
  shell(
    workspace,
    "find . \\( -path ./.git -o -path ./.bough \\) -prune -o \\( -name .git -o -name objects -o -name AGENTS.md -o -name .vscode \\) -print | cat -v"
  )

const ways: ReadonlyArray<readonly [name: string, command: string]> = [
  ["a repository in such a directory", "mkdir $'\\xff'; cd $'\\xff'; git init -q .; git config core.fsmonitor evil"],
  ["one further below", "mkdir -p $'a/b\\xff/c/d'; git init -q $'a/b\\xff/c/d/e'"],
  ["one with such a name", "git init -q $'x\\xed\\xa0\\x80y'"],
  ["an overlong name", "mkdir $'\\xc0\\xaf'; git init -q $'\\xc0\\xaf/x'"],
  ["a name beside a real replacement character", "mkdir $'\\xef\\xbf\\xbd' $'\\xff'; git init -q $'\\xff/x'"],
  [
    "a bare repository",
    "mkdir $'b\\xff'; cd $'b\\xff'; mkdir objects refs; echo 'ref: refs/heads/x' >HEAD; echo '[core]' >config"
  ],
  ["instructions", "mkdir $'\\xfe'; echo evil >$'\\xfe/AGENTS.md'"],
  ["settings of an editor", "mkdir -p $'\\xfe/x/.vscode'; echo evil >$'\\xfe/x/.vscode/tasks.json'"],
  ["a directory that cannot be written", "mkdir $'\\xfe'; git init -q $'\\xfe/x'; chmod 500 $'\\xfe'"],
  ["a repository in a known directory", "git init -q $'known\\xff/sub/x'"]
]

describe.skipIf(bubblewrap.skip)(`A name that is not UTF-8${bubblewrap.suffix}`, () => {
  for (const [name, command] of ways) {
    it.live(`does not hide from the check after a command: ${name}`, () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh()
        repository(workspace)
        shell(workspace, "mkdir -p $'known\\xff/sub'; echo a >$'known\\xff/sub/file'")
        yield* run("ls")
        const ran = yield* run(`${command}; true`)
        assert.strictEqual(findable(workspace), "")
        assert.include(ran.stderr, "held back")
        assert.isTrue(readdirSync(join(workspace, ".bough/held")).some((held) => held !== ".gitignore"))
      })
    )
  }

  for (const [what, script] of [
    ["a secret", "mkdir $'p\\xff'; echo canary >$'p\\xff/.env'"],
    ["a secret further below", "mkdir -p $'p\\xff/a/b'; echo canary >$'p\\xff/a/b/.env'"],
    ["a key by such a name", "echo canary >$'.env.\\xff'"],
    ["a repository", "git init -q $'p\\xff/x'"]
  ] as const) {
    it.live(`refuses commands if it leads to ${what}, and names the place`, () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh()
        shell(workspace, script)
        const { message } = yield* Effect.flip(run("cat */.env */*/*/.env .env*"))
        assert.include(message, "is not UTF-8")
        assert.include(message, "rename it")
      })
    )
  }

  it.live("is otherwise a name like any other", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      shell(workspace, "mkdir -p $'a\\xff/b'; echo one >$'a\\xff/b/caf\\xe9.txt'")
      const ran = yield* run("cat a*/b/*; echo two >$'a\\xff/b/new'; mkdir $'\\xfe'; echo x >$'\\xfe/y'")
      assert.strictEqual(ran.stdout, "one\n")
      assert.strictEqual(ran.stderr, "")
      assert.strictEqual(shell(workspace, "cat $'a\\xff/b/new'; ls $'\\xfe'"), "two\ny\n")
    })
  )

  it.live("hides no link below a repository's own directory", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      repository(workspace)
      const outside = join(directory, "outside")
      mkdirSync(outside)
      writeFileSync(join(outside, "canary"), "canary\n")
      const ran = yield* run(
        `mkdir -p $'.git/refs/remotes/o\\xff/x'; ln -s ${outside} $'.git/refs/remotes/o\\xff/x/y'; ln -s ${outside} $'.git/refs/heads/\\xff'; true`
      )
      assert.include(ran.stderr, "a link to")
      assert.strictEqual(shell(workspace, "find .git -type l"), "")
      assert.strictEqual(readFileSync(join(outside, "canary"), "utf8"), "canary\n")
      assert.isTrue(existsSync(join(workspace, ".git/HEAD")))
    })
  )
})
