/** Commands that run what a rule denies under another name: aliases, abbreviations, synonyms, other subcommands. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CommandPattern } from "../src/index.ts"

const words = (command: string): ReadonlyArray<string> => command.split(" ")

const denies = (pattern: string, command: string): boolean =>
  CommandPattern.maybeMeans(pattern, [words(command)], () => ({ command }))

const deniesUnread = (pattern: string, command: string): boolean =>
  CommandPattern.maybeMeans(pattern, null, () => ({ command, cwd: "." }))

/** Each may run what the rule denies, and its words can be read. */
const read: ReadonlyArray<readonly [pattern: string, command: string]> = [
  // An alias of the user's, the system's or a folder's configuration.
  ["git push *", "git p"],
  ["git push *", "git -C other p origin"],
  ["git push *", "git --git-dir x --work-tree y p"],
  ["git push *", "git --no-pager p"],
  ["git push *", "git -P -c user.name=a p"],
  ["git push *", "git.exe p"],
  ["git push *", "GIT push"],
  ["git push *", "/usr/bin/git p"],
  ["git push *", "env HOME=./x git p"],
  ["git push *", "env -S HOME=./x git p"],
  ["git push *", "timeout 5 git p"],
  ["git push *", "find . -exec git p ;"],
  ["git push *", "git submodule foreach git p"],
  ["gh repo *", "gh r sync"],
  ["cargo publish *", "cargo p"],
  ["cargo publish *", "cargo +nightly -Z x p"],
  ["hg push *", "hg out-all"],
  ["jj git *", "jj sync"],
  // Other subcommands and programs that push.
  ["git push *", "git send-pack ../a.git main"],
  ["git push *", "git -C a send-pack ../a.git main"],
  ["git push *", "git-send-pack ../a.git main"],
  ["git push *", "/usr/lib/git-core/git-remote-https origin https://a.test/b"],
  ["git push *", "git remote-https origin https://a.test/b"],
  ["git push *", "git http-push https://a.test/b main"],
  ["git push *", "git subtree push --prefix=a origin main"],
  ["git push *", "git subtree -P a push origin main"],
  ["git push *", "git lfs push origin main"],
  ["git push *", "git svn dcommit"],
  ["git push *", "git p4 submit"],
  ["git push *", "gh repo sync a/b"],
  ["git push *", "gh repo create a/b --source=. --push"],
  ["git push *", "jj git push"],
  ["git push *", "hub push origin"],
  ["npm publish *", "pnpm publish"],
  ["npm publish *", "yarn npm publish"],
  ["npm publish *", "bun publish"],
  ["npm publish *", "corepack pnpm publish"],
  // Abbreviations and synonyms.
  ["npm publish *", "npm pub"],
  ["npm publish *", "npm --silent publ ."],
  ["npm install *", "npm i evil"],
  ["npm install *", "npm isntall evil"],
  ["npm add *", "npm i evil"],
  ["npm uninstall *", "npm un a"],
  ["npm test *", "npm run test"],
  ["npm run deploy *", "npm run-script deploy"],
  ["yarn run deploy *", "yarn deploy"],
  ["hg push *", "hg pus"],
  ["svn commit *", "svn ci"],
  ["cargo run *", "cargo r"],
  ["gradle publish *", "gradle clean publish"],
  ["gradle publish *", "./gradlew :app:publish"],
  ["gradle publish *", "gradle pub"],
  ["mvn deploy *", "./mvnw clean deploy"],
  ["mvn deploy *", "mvn deploy:deploy"],
  ["pip install *", "pip3.11 install a"]
]

/** Each runs something else. */
const others: ReadonlyArray<readonly [pattern: string, command: string]> = [
  ["git push *", "git log push"],
  ["git push *", "git --namespace push status"],
  ["git push *", "git --git-dir p log"],
  ["git push *", "git stash push"],
  ["git push *", "git lfs pull"],
  ["git push *", "git lfs"],
  ["git push *", "git --version"],
  ["git push *", "git"],
  ["git push *", "git-lfs env"],
  ["git push *", "git commit -m git"],
  ["git push *", "env A=b git log"],
  ["git push *", "git svn fetch"],
  ["git push *", "git subtree pull --prefix=a origin main"],
  ["git push *", "gh repo view"],
  ["git push *", "gh pr create"],
  ["git push *", "jj git fetch"],
  ["git push *", "digit p"],
  ["npm publish *", "npm install"],
  ["npm publish *", "npm run build"],
  ["npm publish *", "npm prune"],
  ["npm publish *", "npm view publish"],
  ["npm publish *", "pnpm install"],
  ["npm test *", "npm run build"],
  ["npm run deploy *", "npm run build"],
  ["cargo publish *", "cargo clippy"],
  ["gradle publish *", "gradle test"],
  ["mvn deploy *", "mvn clean verify"],
  ["hg push *", "hg pull"]
]

/** Each may run what the rule denies, and a shell changes its words. */
const unread: ReadonlyArray<readonly [pattern: string, command: string]> = [
  ["git push *", "HOME=./x git p"],
  ["git push *", "XDG_CONFIG_HOME=./x git p"],
  ["git push *", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=pus\\h git p"],
  ["git push *", "GIT_CONFIG_GLOBAL=./x git p"],
  ["git push *", "export HOME=./x; git p"],
  ["git push *", 'HOME="./a b" git p'],
  ["git push *", "A+=b git p"],
  ["git push *", "git $X"],
  ["git push *", 'git "$X"'],
  ["git push *", "git $(echo pu)sh"],
  ["git push *", "git `echo pu`sh"],
  ["git push *", "git pu${X}"],
  ["git push *", "git pus*"],
  ["git push *", "git pu{s,x}h"],
  ["git push *", "git $'\\x70ush'"],
  ["git push *", "git $'a\\'' ; git p"],
  ["git push *", "git -C $(pwd) p"],
  ["git push *", "$G push"],
  ["git push *", "$(echo gi)t push"],
  ["git push *", "if true; then git p; fi"],
  ["git push *", "for x in a; do git p; done"],
  ["git push *", "! git p"],
  ["git push *", "(git p)"],
  ["git push *", "{ git p; }"],
  ["git push *", "f() { git p; }; f"],
  ["git push *", "git log >x; git p"],
  ["git push *", "git >x p"],
  ["git push *", "git 2>&1 p"],
  ["git push *", "<x git p"],
  ["git push *", "cat <(git p)"],
  ["git push *", 'echo "$(git p)"'],
  ["git push *", 'echo "$(true) a" && git p'],
  ["git push *", "echo `git p`"],
  ["git push *", "echo ok # don't\ngit p"],
  ["git push *", "cat <<E\ndon't\nE\ngit p"],
  ["git push *", "git \\\np"],
  ["git push *", "HOME=./x bash -c 'git p'"],
  ["git push *", "HOME=./x bash -c \"bash -c 'git p'\""],
  ["git push *", "HOME=./x env git p"],
  ["git push *", "HOME=./x git send-pack a"],
  ["git push *", "cd $X && git subtree push a"],
  ["npm publish *", "X=1 npm pub"],
  ["npm publish *", 'X=1 npm pu"b"l']
]

const othersUnread: ReadonlyArray<readonly [pattern: string, command: string]> = [
  ["git push *", "git log $X"],
  ["git push *", "git -C $(pwd) log"],
  ["git push *", 'git commit -m "git is $X"'],
  ["git push *", "HOME=./x git log"],
  ["git push *", "FOO=1 npm test"],
  ["git push *", "git log 2>&1 | grep $X"],
  ["git push *", "git log > $X"],
  ["git push *", "for x in git p; do echo $x; done"],
  ["git push *", "echo $X # git p"],
  ["git push *", "$X status"],
  ["git push *", "git diff -- '*.ts' $X"],
  ["npm publish *", "npm test $X"],
  ["npm *", "$X status"]
]

describe("A rule that denies a subcommand", () => {
  it("covers its other names and the commands of the same effect", () => {
    for (const [pattern, command] of read) assert.isTrue(denies(pattern, command), `${pattern}: ${command}`)
    for (const [pattern, command] of others) assert.isFalse(denies(pattern, command), `${pattern}: ${command}`)
  })

  it("covers them in lines that a shell changes", () => {
    for (const [pattern, command] of unread) assert.isTrue(deniesUnread(pattern, command), `${pattern}: ${command}`)
    for (const [pattern, command] of othersUnread) {
      assert.isFalse(deniesUnread(pattern, command), `${pattern}: ${command}`)
    }
  })

  it("reads long and deep lines to their end", () => {
    for (const command of [
      "$(".repeat(5_000),
      "'".repeat(9_999),
      "env ".repeat(2_500),
      "a=b ".repeat(2_500),
      '`"'.repeat(5_000)
    ]) {
      assert.isFalse(deniesUnread("git push *", command))
    }
  })
})

describe("An alias of git", () => {
  it("pushes in each of these ways, which a deny covers", () => {
    const directory = mkdtempSync(join(tmpdir(), "bough-test-"))
    const run = (line: string): string =>
      spawnSync("sh", ["-c", line], {
        cwd: join(directory, "work"),
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" }
      }).stdout
    mkdirSync(join(directory, "work/x/git"), { recursive: true })
    run(
      "git init -q --bare ../target.git; git init -q; git -c user.name=a -c user.email=a@b commit -qm one --allow-empty"
    )
    const alias = "[alias]\np = push -q ../target.git\n"
    writeFileSync(join(directory, "work/x/.gitconfig"), alias)
    writeFileSync(join(directory, "work/x/git/config"), alias)
    run("git clone -q . other")
    writeFileSync(join(directory, "work/other/.git/config"), `[alias]\np = push -q ../../target.git\n`, { flag: "a" })
    const lines = [
      "HOME=$PWD/x git p HEAD:refs/heads/sent",
      "XDG_CONFIG_HOME=$PWD/x git p HEAD:refs/heads/sent",
      "GIT_CONFIG_GLOBAL=x/.gitconfig git p HEAD:refs/heads/sent",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0='pu'sh git p ../target.git HEAD:refs/heads/sent",
      "git -C other p HEAD:refs/heads/sent",
      "git send-pack ../target.git HEAD:refs/heads/sent"
    ]
    for (const line of lines) {
      run(line)
      assert.include(run("git -C ../target.git branch"), "sent", line)
      run("git -C ../target.git branch -D sent")
      assert.isTrue(deniesUnread("git push *", line), line)
      if (line.startsWith("git")) assert.isTrue(denies("git push *", line), line)
    }
    rmSync(directory, { recursive: true })
  })
})
