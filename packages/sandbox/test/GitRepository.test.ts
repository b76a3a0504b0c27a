/** A repository in the sandbox: git works, and no file that a command leaves there makes a user's git run a program. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { someOf, thorough } from "../../../test/thorough.ts"
import { asRoot, bubblewrap, fresh } from "./Places.ts"
import { git, repository } from "./Repositories.ts"

const withGit = requires("linux", "bubblewrap", "git")
const asRootWithGit = requires("linux", "bubblewrap", "git", "root", "reachable")
const requirement = { skip: withGit.skip || bubblewrap.skip, suffix: withGit.suffix }

/**
 * The user's next git commands, in the workspace and in the attempt's repository; returns the command after which the
 * canary exists.
 */
const usual = [
  "status --short",
  "--paginate log --oneline -3",
  "diff",
  "checkout .",
  "restore .",
  "add -A",
  "commit --allow-empty -qm 'theirs $(touch CANARY)'",
  "checkout -q -b theirs",
  "reset -q --hard",
  "stash",
  "rebase --continue",
  "cherry-pick --continue",
  "merge --continue",
  "submodule update --init",
  "fetch backup",
  "gc -q"
]
const afterwards = usual
  .map((args) => {
    const label = args.replaceAll(/[^\w -]/gu, "")
    return `timeout 10 git ${args} >/dev/null 2>&1; [ $? = 124 ] && echo "git ${label} waits"; [ -e "$1" ] && { echo "git ${label}"; exit; }`
  })
  .join("\n")
  .concat("\ntrue")

/** Makes a directory that is another common directory once a door has the id of the commit as its content. */
const commonDirectory = `T=$(git rev-parse HEAD); mkdir -p .git/$T; cp -r .git/objects .git/refs .git/config .git/$T/; printf '[core]\\n\\tfsmonitor = %s\\n' "$CANARY" >> .git/$T/config`

const stoppedRebase = `git commit -q --allow-empty -m two; GIT_SEQUENCE_EDITOR="sed -i s/^pick/edit/" git rebase -q -i HEAD~1`

/** Attempts of a command; `$CANARY` is a program that makes a file beside the workspace, which no command can. */
const attempts: Readonly<Record<string, string>> = {
  "a setting": `git config core.fsmonitor "$CANARY"; git config core.pager "$CANARY"; git config alias.status "!$CANARY"`,
  "a setting by file": `printf '[core]\\n\\tfsmonitor = %s\\n' "$CANARY" >> .git/config; cp .git/config .git/c && printf '[core]\\n\\tfsmonitor = %s\\n' "$CANARY" >> .git/c; mv -f .git/c .git/config`,
  "a setting of the worktree": `printf '[core]\\n\\tfsmonitor = %s\\n' "$CANARY" > .git/config.worktree; git config extensions.worktreeConfig true`,
  "a hook": `for h in pre-commit post-commit post-checkout post-index-change reference-transaction; do cp "$CANARY" .git/hooks/$h; done`,
  "hooks anew": `mv .git/hooks .git/old; rm -rf .git/hooks; mkdir .git/hooks; cp "$CANARY" .git/hooks/pre-commit`,
  "another common directory": `mkdir -p other/objects other/refs other/hooks; cp "$CANARY" other/hooks/pre-commit; printf '[core]\\n\\tfsmonitor = %s\\n' "$CANARY" > other/config; echo ../other > .git/commondir; rm -f .git/commondir; ln -s ../other .git/commondir`,
  "another repository in its place": `git init -q /tmp/x; git -C /tmp/x config core.fsmonitor "$CANARY"; mv .git old; cp -r /tmp/x/.git .git; rm -rf .git; cp -r /tmp/x/.git/. .git/`,
  "a file in its place": `git init -q --separate-git-dir=$PWD/other tmp; git -C tmp config core.fsmonitor "$CANARY"; rm -rf .git; echo "gitdir: other" > .git`,
  "an invalid HEAD and a repository around it": `rm .git/HEAD; mkdir -p objects refs; echo "ref: refs/heads/main" > HEAD; printf '[core]\\n\\tpager = %s\\n\\tfsmonitor = %s\\n\\tbare = false\\n\\tworktree = %s\\n' "$CANARY" "$CANARY" "$PWD" > config`,
  "a HEAD that is a link": `rm .git/HEAD; ln -s ../file .git/HEAD`,
  "an index that names a hook": `blob=$(git hash-object -w "$CANARY"); git update-index --add --cacheinfo 100755,$blob,+git/hooks/post-checkout; git update-index --add --cacheinfo 100755,$blob,+git/hooks/pre-commit; python3 - <<'P'
import hashlib
data = open(".git/index", "rb").read()[:-20].replace(b"+git/hooks", b".git/hooks")
open(".git/index", "wb").write(data + hashlib.sha1(data).digest())
P`,
  "an index that is a link": `cp .git/index plain; rm .git/index; ln -s ../../outside .git/index`,
  "a log that is a link": `rm .git/logs/HEAD; ln -s ../../../outside .git/logs/HEAD; rm -f .git/logs/refs/heads/main; ln -s ../../../../../outside .git/logs/refs/heads/main`,
  "links for what git writes": `for f in COMMIT_EDITMSG ORIG_HEAD FETCH_HEAD MERGE_MSG packed-refs shallow gc.log gc.pid objects/info/packs objects/info/commit-graph objects/pack/multi-pack-index refs/heads/theirs refs/stash; do rm -f .git/$f; ln -s $(echo $f | sed 's,[^/]*/,../,g; s,[^/]*$,,')../../outside .git/$f; done`,
  "directories that are links": `mv .git/refs/heads .git/refs/h; ln -s ../../elsewhere .git/refs/heads; mv .git/objects/pack .git/objects/p; ln -s ../../../elsewhere .git/objects/pack; mv .git/objects .git/o; mv .git/refs .git/r; mv .git/logs .git/l; mv .git/objects/info .git/objects/i; ln -s ../../elsewhere .git/rr-cache`,
  "objects from elsewhere": `echo $PWD/../elsewhere > .git/objects/info/alternates; mv .git/objects/info .git/objects/i; mkdir .git/objects/info; echo $PWD/../elsewhere > .git/objects/info/alternates; cat .git/objects/info/alternates`,
  "a rebase that runs a program": `mkdir .git/rebase-merge; cd .git/rebase-merge; git rev-parse HEAD > onto; git rev-parse HEAD > orig-head; echo refs/heads/main > head-name; echo 1 > msgnum; echo 1 > end; touch interactive done message author-script; echo "  exec $CANARY" > git-rebase-todo; echo "x $CANARY" >> git-rebase-todo; cp git-rebase-todo git-rebase-todo.backup`,
  "a rebase that runs a program behind many comments": `${stoppedRebase}; { yes "# comment" | head -c 17000000; echo "exec $CANARY"; } > todo; mv todo .git/rebase-merge/git-rebase-todo`,
  "a symbolic reference behind many spaces": `${commonDirectory}; { printf ref:; head -c 17000000 /dev/zero | tr '\\0' ' '; echo commondir; } > .git/refs/heads/main; git update-ref refs/heads/theirs "$T"`,
  "references of a rebase behind many others": `${commonDirectory}; ${stoppedRebase}; { yes "$(printf 'refs/heads/a\\n%s\\n%s' "$T" "$T")" | head -n 600000; printf 'commondir\\n%s\\n%s\\n' "$(printf %040d 0)" "$T"; } > .git/rebase-merge/update-refs`,
  "a strategy that is a program": `mkdir -p .git/sequencer "git-merge-"; printf '[options]\\n\\tstrategy = /../run\\n' > .git/sequencer/opts; cp "$CANARY" run; git rev-parse HEAD > .git/sequencer/head; echo "pick $(git rev-parse HEAD) x" > .git/sequencer/todo; git rev-parse HEAD > .git/CHERRY_PICK_HEAD`,
  "a remote in a file": `mkdir -p .git/remotes .git/branches; echo "URL: ext::sh -c $CANARY" > .git/remotes/backup; echo "ext::sh -c $CANARY" > .git/branches/backup`,
  "a submodule that waits": `mkdir -p .git/modules; git init -q /tmp/m; git -C /tmp/m config core.fsmonitor "$CANARY"; cp -r /tmp/m/.git .git/modules/sub; printf '[submodule "sub"]\\n\\tpath = sub\\n\\turl = ./\\n\\tupdate = !%s\\n' "$CANARY" > .gitmodules; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub`,
  "a worktree that waits": `mkdir -p .git/worktrees/w; echo "$PWD/w/.git" > .git/worktrees/w/gitdir; echo ../../../other > .git/worktrees/w/commondir; cp .git/HEAD .git/worktrees/w/; mkdir -p w other/objects other/refs; printf '[core]\\n\\tfsmonitor = %s\\n' "$CANARY" > other/config; echo "gitdir: ../.git/worktrees/w" > w/.git`,
  "an embedded repository that the index names": `git init -q sub; git -C sub config core.fsmonitor "$CANARY"; git -C sub -c user.name=x -c user.email=x commit -q --allow-empty -m x; git update-index --add --cacheinfo 160000,$(git -C sub rev-parse HEAD),sub`,
  "a bare repository without a name": `mkdir -p sub/x real/objects real/refs; echo "ref: refs/heads/main" > sub/HEAD; echo ../real > sub/commondir; printf '[core]\\n\\tpager = %s\\n\\tfsmonitor = %s\\n\\tbare = false\\n\\tworktree = %s/sub/x\\n' "$CANARY" "$CANARY" "$PWD" > real/config`,
  attributes: `mkdir -p .git/info; echo "* filter=evil diff=evil merge=evil" > .git/info/attributes; git config filter.evil.clean "$CANARY"`,
  "a FIFO": `rm .git/index; mkfifo .git/index`,
  ...Object.fromEntries(
    ["refs/heads/main", "ORIG_HEAD", "refs/stash", "CHERRY_PICK_HEAD", "AUTO_MERGE"].map((name) => [
      `a symbolic reference to a door: ${name}`,
      `${commonDirectory}; echo "ref: commondir" > .git/${name}; git update-ref refs/heads/theirs "$T"`
    ])
  ),
  "a symbolic reference of a HEAD to a door": `${commonDirectory}; echo "ref:  commondir" > .git/HEAD; echo "ref: refs/heads/../../commondir" > .git/refs/heads/x`,
  "references of a rebase that are doors": `${commonDirectory}; ${stoppedRebase}; printf 'commondir\\n%s\\n%s\\n' "$(printf %040d 0)" "$T" > .git/rebase-merge/update-refs`,
  "a line of a rebase that writes a door": `${commonDirectory}; ${stoppedRebase}; mkdir -p .git/x; echo "update-ref info/attributes" >> .git/rebase-merge/git-rebase-todo; echo "u x/y" >> .git/rebase-merge/git-rebase-todo`,
  "a resolution for its configuration": `id=$(printf %040d 1); mkdir -p .git/rr-cache/$id; for f in preimage postimage; do cp .git/config .git/rr-cache/$id/$f; done; printf '[core]\\n\\tfsmonitor = %s\\n' "$CANARY" >> .git/rr-cache/$id/postimage; printf '%s.-1\\t.git/config\\0' $id > .git/MERGE_RR`,
  "a resolution for a file outside": `id=$(printf %040d 1); mkdir -p .git/rr-cache/$id; printf kept > .git/rr-cache/$id/preimage; printf lost > .git/rr-cache/$id/postimage; ln -s ../outside away; printf '%s.-1\\t../outside\\0%s\\taway\\0' $id $id > .git/MERGE_RR`,
  "packed references with paths": `git pack-refs --all; sed -i 's,$,/../../commondir,;1s,.*,# pack-refs with: peeled,' .git/packed-refs`,
  "an index that is shared": `blob=$(git hash-object -w "$CANARY"); for h in post-checkout pre-commit; do git update-index --add --cacheinfo 100755,$blob,+git/hooks/$h; done; git update-index --split-index`,
  "a socket of a monitor": `ln -s /tmp/s .git/fsmonitor--daemon.ipc`
}

describe.skipIf(requirement.skip)(`A repository in the sandbox${requirement.suffix}`, () => {
  for (const [name, attempt] of someOf(Object.entries(attempts), 3)) {
    it.live(
      `makes a user's git run nothing: ${name}`,
      () =>
        Effect.gen(function* () {
          const { directory, run, workspace } = yield* fresh()
          repository(workspace)
          mkdirSync(join(directory, "elsewhere"))
          writeFileSync(join(directory, "outside"), "kept")
          const canary = `${workspace}/canary.sh`
          writeFileSync(canary, `#!/bin/sh\ntouch ${directory}/CANARY\nexit 1\n`, { mode: 0o755 })
          yield* run(`CANARY=${canary}; ${attempt}`)
          // The shared part of the index changes alone.
          yield* run("for f in .git/sharedindex.*; do [ ! -e $f ] || sed -i s,+git/hooks,.git/hooks,g $f; done")
          for (const where of [workspace, join(workspace, "sub"), join(workspace, "w")]) {
            if (!existsSync(where)) continue
            const ran = spawnSync("/bin/sh", ["-c", afterwards, "sh", join(directory, "CANARY")], {
              cwd: where,
              encoding: "utf8",
              env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_EDITOR: "true", GIT_PAGER_IN_USE: "1" }
            })
            assert.strictEqual(ran.stdout, "", where)
          }
          assert.strictEqual(readFileSync(join(directory, "outside"), "utf8"), "kept")
          assert.deepStrictEqual(readdirSync(join(directory, "elsewhere")), [])
          assert.include(git(workspace, "log", "--all", "--format=%s").stdout, "first")
          for (const kept of ["HEAD", "config", "objects", "refs", "hooks", "info"])
            assert.isTrue(existsSync(join(workspace, ".git", kept)), kept)
          assert.isFalse(existsSync(join(workspace, ".git/commondir")))
        }),
      thorough
    )
  }

  it.live("commits, branches, merges, rebases, stashes, tags and collects, and leaves no trace of its protection", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      const before = readdirSync(join(workspace, ".git"))
      const ran = yield* run(
        [
          "set -e",
          "echo two >> file; git add file; git commit -qm second",
          "git switch -q -c topic HEAD~1; echo other > other; git add -A; git commit -qm third",
          "git rebase -q main",
          "git switch -q main; git merge -q --no-edit topic; git tag -a v1 -m v1",
          "git worktree list >/dev/null",
          "echo dirty >> file; git stash -q; git stash pop -q; git checkout -q -- file",
          "git cherry-pick --allow-empty -x HEAD >/dev/null 2>&1 || git cherry-pick --skip",
          "git branch -q -D topic",
          "git gc -q --prune=now; git fsck",
          "git log --format=%s"
        ].join("\n")
      )
      assert.strictEqual(ran.exitCode, 0, ran.stderr)
      assert.strictEqual(ran.stdout, "third\nsecond\nfirst\n")
      assert.notInclude(ran.stderr, "[bough:")
      assert.strictEqual(git(workspace, "log", "--format=%s").stdout, "third\nsecond\nfirst\n")
      assert.strictEqual(git(workspace, "status", "--porcelain").stdout, "")
      const made = readdirSync(join(workspace, ".git")).filter((name) => !before.includes(name))
      assert.deepStrictEqual(
        made.filter((name) => !/^(?:ORIG_HEAD|packed-refs|COMMIT_EDITMSG|AUTO_MERGE)$/u.test(name)),
        []
      )
    })
  )

  it.live("stops a conflicting rebase that would run a program, and continues in the sandbox", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      yield* run(
        "git switch -q -c topic; echo a > file; git commit -qam a; git switch -q main; echo b > file; git commit -qam b"
      )
      const conflict = yield* run(`git switch -q topic; git rebase -q --exec "touch ran" main`)
      assert.notStrictEqual(conflict.exitCode, 0)
      assert.include(conflict.stderr, "would have run touch ran")
      assert.include(readFileSync(join(workspace, ".git/rebase-merge/git-rebase-todo"), "utf8"), "break\n")
      yield* run("echo c > file; git add file; GIT_EDITOR=true git rebase --continue; git rebase --continue")
      assert.strictEqual(git(workspace, "log", "--format=%s", "topic").stdout, "a\nb\nfirst\n")
      assert.isFalse(existsSync(join(workspace, "ran")))
    })
  )

  it.live("moves away a list of a rebase that it cannot read", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      const ran = yield* run("mkdir -p .git/rebase-merge/git-rebase-todo")
      assert.match(ran.stderr, /rebase-merge\/git-rebase-todo .*bough-held/u)
      assert.deepStrictEqual(readdirSync(join(workspace, ".git/rebase-merge")), [])
    })
  )

  it.live("leaves the programs of a rebase that a user started", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      git(workspace, "checkout", "-q", "-b", "topic")
      writeFileSync(join(workspace, "file"), "a\n")
      git(workspace, "commit", "-qam", "a")
      git(workspace, "checkout", "-q", "main")
      writeFileSync(join(workspace, "file"), "b\n")
      git(workspace, "commit", "-qam", "b")
      git(workspace, "rebase", "-q", "--exec", "touch ran", "main", "topic")
      const todo = join(workspace, ".git/rebase-merge/git-rebase-todo")
      const before = readFileSync(todo, "utf8")
      assert.include(before, "exec touch ran")
      const ran = yield* run("git status >/dev/null")
      assert.strictEqual(ran.stderr, "")
      assert.strictEqual(readFileSync(todo, "utf8"), before)
    })
  )

  it.live("lets a user change its configuration meanwhile, and runs none of its programs", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      repository(workspace)
      const set = (name: string) => ({
        onOutput: () =>
          Effect.sync(() => {
            git(workspace, "config", "branch.main.remote", name)
            writeFileSync(join(workspace, name), "")
          })
      })
      const evil = `printf '[core]\\n\\tfsmonitor = touch ${directory}/CANARY\\n' >> .git/config`
      // A command that runs for longer is ended, because the file is no longer protected from it.
      const textsOf = (ran: { readonly stderr: string }) => ran.stderr
      const orEnded = Effect.catch(({ message }: { readonly message: string }) => Effect.succeed(message))
      const ran = yield* run(`echo started; until [ -e go ]; do sleep 0.02; done; ${evil}`, set("go")).pipe(
        Effect.map(textsOf),
        orEnded
      )
      assert.match(ran, /fsmonitor|config was replaced while the command ran/u)
      git(workspace, "status")
      assert.isFalse(existsSync(join(directory, "CANARY")))
      const plain = yield* run("echo started; until [ -e on ]; do sleep 0.02; done", set("on")).pipe(
        Effect.map(textsOf),
        orEnded
      )
      assert.match(plain, /^$|config was replaced while the command ran/u)
      assert.strictEqual(git(workspace, "config", "branch.main.remote").stdout, "on\n")
    })
  )

  it.live("keeps the hooks and settings that its configuration reads from the workspace", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      repository(workspace)
      mkdirSync(join(workspace, "tools/hooks"), { recursive: true })
      writeFileSync(join(workspace, "tools/gitconfig"), "")
      git(workspace, "config", "core.hooksPath", "tools/hooks")
      git(workspace, "config", "include.path", "../tools/gitconfig")
      const evil = `printf '#!/bin/sh\\ntouch ${directory}/CANARY\\n' > tools/hooks/pre-commit; chmod +x tools/hooks/pre-commit`
      yield* run(
        `${evil}; printf '[core]\\n\\tfsmonitor = touch ${directory}/CANARY\\n' > tools/gitconfig; mv tools t2; mkdir -p tools/hooks; ${evil}; git commit --allow-empty -qm inside`
      )
      git(workspace, "status")
      git(workspace, "commit", "--allow-empty", "-qm", "theirs")
      assert.isFalse(existsSync(join(directory, "CANARY")))
      assert.strictEqual(git(workspace, "log", "--format=%s").stdout, "theirs\ninside\nfirst\n")
    })
  )

  it.live("is read-only if it contains links of a user's", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      repository(workspace)
      mkdirSync(join(directory, "elsewhere"))
      symlinkSync(join(directory, "elsewhere"), join(workspace, ".git/rr-cache"))
      const ran = yield* run("git commit --allow-empty -qm second")
      assert.notStrictEqual(ran.exitCode, 0)
      assert.strictEqual(git(workspace, "log", "--format=%s").stdout, "first\n")
      assert.isTrue(lstatSync(join(workspace, ".git/rr-cache")).isSymbolicLink())
    })
  )

  it.live("commits in a linked worktree, without changing the other worktree's branch", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      const main = join(directory, "main")
      repository(main)
      rmdirSync(workspace)
      assert.strictEqual(git(main, "worktree", "add", "-q", "-b", "topic", workspace).status, 0)
      const ran = yield* run(
        `echo x > new; git add -A; git commit -qm second; git log --format=%s; echo "ref: refs/heads/topic" > ${main}/.git/HEAD; rm -f ${main}/.git/index; touch ${main}/x; echo evil > ${main}/.git/hooks/pre-commit; git config core.pager evil; echo / > $(git rev-parse --git-dir)/commondir`
      )
      assert.strictEqual(ran.stdout, "second\nfirst\n")
      assert.strictEqual(git(main, "log", "--format=%s", "topic").stdout, "second\nfirst\n")
      assert.strictEqual(git(main, "log", "--format=%s").stdout, "first\n")
      assert.strictEqual(git(main, "status", "--short").stdout, "")
      assert.deepStrictEqual(
        [existsSync(join(main, "x")), existsSync(join(main, ".git/hooks/pre-commit"))],
        [false, false]
      )
      assert.strictEqual(git(workspace, "status", "--short").stdout, "")
    })
  )

  it.live("commits in a worktree and in a submodule inside the workspace", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      repository(join(directory, "library"))
      repository(workspace)
      git(workspace, "submodule", "add", "-q", join(directory, "library"), "sub")
      git(workspace, "commit", "-qm", "with sub")
      git(workspace, "worktree", "add", "-q", "-b", "topic", "trees/topic")
      appendFileSync(join(workspace, ".git/info/exclude"), "trees\n")
      const identity = "-c user.name=a -c user.email=a@b"
      const ran = yield* run(
        `git submodule status; git -C sub ${identity} commit -q --allow-empty -m inside; git add sub; git commit -qm "sub moved"; git -C trees/topic commit -q --allow-empty -m there`
      )
      assert.match(ran.stdout, /^ [0-9a-f]{40} sub/u)
      assert.strictEqual(ran.stderr, "")
      assert.strictEqual(git(workspace, "log", "--format=%s").stdout, "sub moved\nwith sub\nfirst\n")
      assert.strictEqual(git(join(workspace, "sub"), "log", "--format=%s").stdout, "inside\nfirst\n")
      assert.strictEqual(git(workspace, "log", "--format=%s", "topic").stdout, "there\nwith sub\nfirst\n")
      assert.strictEqual(git(workspace, "status", "--short").stdout, "")
    })
  )

  it.live("commits in an embedded repository, and loses neither objects nor branches of any", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      repository(join(workspace, "deep/inner"))
      const ran = yield* run(
        "git -C deep/inner commit -q --allow-empty -m second; git branch gone; git branch -q -D gone"
      )
      assert.strictEqual(ran.exitCode, 0)
      assert.strictEqual(git(join(workspace, "deep/inner"), "log", "--format=%s").stdout, "second\nfirst\n")
      git(workspace, "branch", "other")
      git(workspace, "tag", "v1")
      const id = git(workspace, "rev-parse", "HEAD").stdout.trim()
      const removed = yield* run("git branch -q -D other; git reflog expire --expire=all --all; git gc -q --prune=now")
      assert.include(removed.stderr, `refs/heads/other was ${id}`)
      yield* run("rm -rf .git deep/inner/.git; echo gone")
      for (const path of [workspace, join(workspace, "deep/inner")]) {
        assert.include(git(path, "log", "--format=%s").stdout, "first")
        assert.strictEqual(git(path, "fsck").status, 0)
      }
      assert.strictEqual(git(workspace, "rev-parse", "v1").stdout.trim(), id)
    })
  )

  it.live("reads the committer from the operator's settings, and no more of them", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      git(workspace, "config", "--unset", "user.email")
      const ran = yield* run("git config --list --show-origin | grep -c token; git config safe.directory")
      assert.strictEqual(ran.stdout, "0\n*\n")
    })
  )
})

describe.skipIf(asRootWithGit.skip || asRoot.skip)(
  `Root working for a repository's owner${asRootWithGit.suffix}`,
  () => {
    it.live("commits, and everything in the repository belongs to the owner", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({}, 65_534)
        repository(workspace, 65_534)
        const ran = yield* run("echo two >> file; git commit -qam second && git log --format=%s")
        assert.strictEqual(ran.stdout, "second\nfirst\n", ran.stderr)
        const foreign = spawnSync("find", [workspace, "!", "-user", "65534"], { encoding: "utf8" })
        assert.strictEqual(foreign.stdout, "")
      })
    )
  }
)
