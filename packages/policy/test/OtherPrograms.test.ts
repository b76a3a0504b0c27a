/** Commands that begin like an allowed one and run another program: no rule about first words covers or offers them. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CommandPattern } from "../src/index.ts"

/** Each begins with the words of the rule, and runs or configures another program. */
const strays: ReadonlyArray<readonly [pattern: string, command: string]> = [
  ["git push *", "git push --receive-pack=./evil ."],
  ["git push *", "git push --receive-pack ./evil ."],
  ["git push *", "git push --rece=./evil ."],
  ["git push origin *", "git push origin --exec=./evil"],
  ["git push origin *", "git push origin main --exe ./evil"],
  ["git fetch *", "git fetch --upload-pack=./evil ."],
  ["git fetch *", "git fetch --upl ./evil ."],
  ["git pull *", "git pull --upload-pack=./evil . main"],
  ["git pull *", "git pull -s evil"],
  ["git clone *", "git clone -c core.sshCommand=./evil ssh://a.test/b"],
  ["git clone *", "git clone -qu ./evil . x"],
  ["git clone *", "git clone --template=./evil . x"],
  ["git init *", "git init --template ./evil"],
  ["git ls-remote *", "git ls-remote --upload-pack=./evil ."],
  ["git grep *", "git grep -O./evil x"],
  ["git grep *", "git grep --open-files-in-pager=./evil x"],
  ["git grep *", "git grep -nO./evil x"],
  ["git rebase *", "git rebase -x ./evil main"],
  ["git rebase *", "git rebase --exec ./evil main"],
  ["git rebase *", "git rebase -ix ./evil main"],
  ["git diff *", "git diff --ext-diff"],
  ["git log *", "git log -p --ext-diff --output=.bashrc"],
  ["git show *", "git show --textconv --outp .profile"],
  ["git archive *", "git archive --remote=. --exec=./evil HEAD"],
  ["git format-patch *", "git format-patch -o /home/user HEAD~1"],
  ["npm test *", "npm test --script-shell=./evil"],
  ["npm test *", "npm test --script-sh ./evil"],
  ["npm test *", "npm test --prefix /tmp/evil"],
  ["npm test *", "npm test -C /tmp/evil"],
  ["npm test *", "npm test --node-options=--require=./evil.js"],
  ["npm install *", "npm install --git=./evil a"],
  ["npm install *", "npm install --userconfig=./evil"],
  ["pnpm test *", "pnpm test --dir /tmp/evil"],
  ["yarn test *", "yarn test --cwd /tmp/evil"],
  ["bun test *", "bun test -r ./evil.js"],
  ["bun test *", "bun test --preload ./evil.js"],
  ["cargo test *", "cargo test --config target.x.runner=evil"],
  ["cargo build *", "cargo build --manifest-path /tmp/evil/Cargo.toml"],
  ["go test *", "go test -exec ./evil ./..."],
  ["go test *", "go test --exec=./evil ./..."],
  ["go build *", "go build -toolexec=./evil ./..."],
  ["go vet *", "go vet -vettool=./evil"],
  ["apt-get install *", "apt-get install -o APT::Update::Pre-Invoke::=evil x"],
  ["mvn test *", "mvn test -f /tmp/evil"],
  ["gradle test *", "gradle test --init-script /tmp/evil.gradle"],
  ["/usr/bin/git push *", "/usr/bin/git push --exec=./evil ."],
  ["git *", "git -c core.pager=./evil log"],
  ["git *", "git -C /tmp/evil status"],
  ["git *", "git --git-dir=/tmp/evil status"],
  ["git fetch *", "git fetch evil::x"],
  ["git push *", "git push evil::x HEAD"],
  ["git push *", "git push fixtures/evil.git HEAD:x"],
  ["git push *", "git push -f ../evil.git HEAD:x"],
  ["git push *", "git push file:///tmp/evil.git HEAD:x"],
  ["git push *", "git push evil"],
  ["git push *", "git push -f evil HEAD:x"],
  ["git push *", "git push -o a fixtures/evil.git"],
  ["git push *", "git push --repo fixtures/evil.git"],
  ["git apply *", "git apply --unsafe-paths a.patch"],
  ["git checkout-index *", "git checkout-index --prefix=/home/user/ .bashrc"],
  ["gh repo *", "gh repo clone a/b -- -u ./evil"],
  ["gh repo *", "gh repo clone a/b -- --config core.fsmonitor=./evil"],
  ["gh release *", "gh release download -R a/b -O .bashrc --clobber"],
  ["pnpm install *", "pnpm install --config.script-shell=./evil"],
  ["cargo rustc *", "cargo rustc -- -C linker=./evil"],
  ["cargo rustc *", "cargo rustc -- -Clinker=./evil"],
  ["uv sync *", "uv sync --python ./evil"],
  ["uv pip *", "uv pip list -p ./evil"],
  ["pip list *", "pip list --log /home/user/.bashrc"],
  ["pip *", "pip --python ./evil list"],
  ["poetry install *", "poetry install -C /tmp/evil"],
  ["bundle install *", "bundle install --gemfile=/tmp/evil"],
  ["composer install *", "composer install -d /tmp/evil"],
  ["cargo build *", "cargo build --target-dir /home/user/.config"],
  ["mvn test *", "mvn test -Dmaven.ext.class.path=./evil.jar"],
  ["pytest *", "pytest -p evil"],
  ["pytest *", "pytest -pevil"],
  ["pytest *", "pytest -c /tmp/evil.ini"],
  ["pytest *", "pytest --rootdir=/tmp/evil"],
  ["pytest *", "pytest -W error::evil.Warning"],
  ["jest *", "jest --globalSetup ./evil.js"],
  ["jest *", "jest --global-setup=./evil.js"],
  ["jest *", "jest -c evil.js"],
  ["vitest run *", "vitest run --config evil.ts"],
  ["mocha *", "mocha -r ./evil.js"],
  ["eslint *", "eslint --resolve-plugins-relative-to /tmp/evil ."],
  ["eslint *", "eslint -f ./evil.js ."],
  ["eslint *", "eslint -o /home/user/.bashrc ."],
  ["prettier *", "prettier --plugin=./evil.js ."],
  ["tsc *", "tsc -p /tmp/evil"],
  ["tsc *", "tsc --OUTFILE /home/user/.bashrc"],
  ["mypy *", "mypy --python-exec ./evil ."],
  ["ruff *", "ruff check -o /home/user/.bashrc"],
  ["rg *", "rg --pre ./evil x"],
  ["rg *", "rg --hostname-bin=./evil x"],
  ["terraform plan *", "terraform plan -out=/home/user/.bashrc"],
  ["vitest *", "vitest --reporter=./evil.js"],
  ["vitest *", "vitest --reporter verbose,./evil.js"],
  ["vitest *", "vitest --reporter"],
  ["vitest *", "vitest --environment ./evil.js"],
  ["vitest *", "vitest --pool=./evil.js"],
  ["vitest *", "vitest --execArgv=--require=./evil.js"],
  ["vitest *", "vitest --poolOptions.forks.execArgv=--require=./evil.js"],
  ["vitest *", "vitest --typecheck.checker=./evil"],
  ["vitest *", "vitest --coverage.reportsDirectory=../.."],
  ["vitest *", "vitest --coverage.customProviderModule ./evil.js"],
  ["vitest *", "vitest --coverage.reporter=./evil.js"],
  ["vitest *", "vitest -r /tmp/evil"],
  ["jest *", "jest --filter=./evil.js"],
  ["jest *", "jest --reporters=./evil.js"],
  ["jest *", "jest --coverageReporters ./evil.js"],
  ["jest *", "jest --testEnvironment=./evil.js"],
  ["jest *", "jest --test-sequencer ./evil.js"],
  ["mocha *", "mocha -R ./evil.js"],
  ["mocha *", "mocha --reporter=verbose"],
  ["mocha *", "mocha -u ./evil.js"],
  ["mocha *", "mocha -n require=./evil.js"],
  ["mocha *", "mocha -R xunit -O output=/home/user/.bashrc"],
  ["eslint *", "eslint -f./evil.js ."],
  ["eslint *", "eslint --format ../evil ."],
  ["prettier *", "prettier --parser ./evil.js a"],
  ["playwright test *", "playwright test --reporter=./evil.js"],
  ["rollup *", "rollup -p ./evil.js"],
  ["rollup *", "rollup --watch.onStart=./evil -w"],
  ["rollup *", "rollup -d /home/user"],
  ["webpack *", "webpack --extends ./evil.js"],
  ["pytest *", "pytest -p no:x -p evil"],
  ["pytest *", "pytest -W error::evil.Warning.x"],
  ["pytest *", "pytest -o addopts=-pevil"],
  ["tsc *", "tsc -p ../evil/tsconfig.json"],
  ["tsc *", "tsc -p a/tsconfig.json"]
]

/** Each is covered as before. */
const covered: ReadonlyArray<readonly [pattern: string, command: string]> = [
  ["git push *", "git push -u origin main"],
  ["git push *", "git push --force-with-lease origin main"],
  ["git push --exec=./own *", "git push --exec=./own origin main"],
  ["git log *", "git log --oneline -20"],
  ["git cherry-pick *", "git cherry-pick -x abc"],
  ["git commit *", "git commit -s -m x"],
  ["npm test *", "npm test -- --config jest.config.js --prefix a"],
  ["npm test *", "npm test --silent"],
  ["npm install *", "npm install --save-dev a"],
  ["cargo test *", "cargo test -- --config x"],
  ["go test *", "go test -run X -v ./..."],
  ["mvn test *", "mvn test -DskipTests"],
  ["git push *", "git push -f origin feature/x:main"],
  ["git push *", "git push"],
  ["git push *", "git push upstream"],
  ["git push backup *", "git push backup main"],
  ["git push *", "git push git@git.example.com:a/b.git feature/x"],
  ["git push *", "git push https://git.example.com/a/b.git main"],
  ["git add *", "git add ./src ../docs ."],
  ["git commit *", "git commit -c HEAD"],
  ["gh pr *", "gh pr create --draft --title x"],
  ["cargo test *", "cargo test -- -C x"],
  ["uv pip *", "uv pip list --outdated"],
  ["mvn test *", "mvn test -Dtest=FirstTest"],
  ["pytest *", "pytest -x -k name tests/a.py"],
  ["jest *", "jest --coverage --watch src"],
  ["vitest run *", "vitest run --bail=1 src/a.test.ts"],
  ["eslint *", "eslint --fix src"],
  ["tsc *", "tsc --noEmit --pretty"],
  ["rg *", "rg --pretty -C 3 x"],
  ["vitest *", "vitest --reporter=verbose"],
  ["vitest *", "vitest run --reporter verbose --reporter=dot src/a.test.ts"],
  ["vitest *", "vitest --coverage --coverage.provider=v8 --coverage.reporter text"],
  ["vitest *", "vitest --environment jsdom --pool=forks"],
  ["jest *", "jest --reporters=default --env=jsdom -o -f"],
  ["jest *", "jest --coverage --coverageReporters=text"],
  ["mocha *", "mocha -R spec --ui tdd -f name"],
  ["eslint *", "eslint -f stylish ."],
  ["eslint *", "eslint --format=json ."],
  ["prettier *", "prettier -c ."],
  ["prettier *", "prettier --parser=babel -l ."],
  ["playwright test *", "playwright test --reporter=list,html -g name"],
  ["webpack *", "webpack --env production"],
  ["rollup *", "rollup -f es a.js"],
  ["pytest *", "pytest -p no:cacheprovider -W ignore::DeprecationWarning -o log_cli=true"],
  ["tsc *", "tsc --noEmit -p ."],
  ["tsc *", "tsc -p tsconfig.build.json"]
]

/** Commands whose first words say nothing about their effect, so that only the exact command is offered. */
const opaque = [
  "python3.11 -m http.server",
  "/usr/bin/python3.12 a.py",
  "perl5.36 a.pl",
  "lua5.4 a.lua",
  "clang-18 a.c",
  "PYTHON3.exe a.py",
  "busybox sh a",
  "setsid evil",
  "stdbuf -o0 evil",
  "flock lock evil",
  "chroot / evil",
  "unshare evil",
  "parallel evil",
  "strace evil",
  "rsync -e ./evil a b",
  "tar -cf x --to-command=evil",
  "wget --use-askpass=./evil x",
  "sort --compress-program=./evil x",
  "sqlite3 a.db .shell",
  "vim -c x a",
  "nix run x",
  "trap evil EXIT",
  "alias npm=evil",
  "hash -p ./evil npm",
  "gfind . -delete",
  "tsx a.ts",
  "java -jar a.jar",
  "git bisect run evil",
  "git submodule foreach evil",
  "git config alias.x y",
  "git difftool -y",
  "git remote-ext origin evil",
  "npm exec evil",
  "npm run -s build",
  "npm config set script-shell evil",
  "pnpm dlx evil",
  "yarn node a.js",
  "bun x evil",
  "uv run evil",
  "poetry run evil",
  "bundle exec evil",
  "go run evil.test/a",
  "conda run evil",
  "gh alias set x y",
  "git remote set-url origin https://evil.test/a",
  "git maintenance start",
  "git gui",
  "aws configure set credential_process ./evil",
  "gcloud config set x y",
  "git push --exec=./evil origin",
  "npm test --script-shell=./evil"
]

const words = (command: string): ReadonlyArray<string> => command.split(" ")

describe("A rule about the first words of commands", () => {
  it("covers no command with an option that runs another program", () => {
    for (const [pattern, command] of strays) {
      assert.isTrue(CommandPattern.means(pattern, words(command)), command)
      assert.isFalse(CommandPattern.surelyMeans(pattern, [words(command)]), command)
      assert.isTrue(
        CommandPattern.maybeMeans(pattern, [words(command)], () => ({})),
        `a deny rule covers ${command}`
      )
    }
  })

  it("covers other options, and an option that it contains", () => {
    for (const [pattern, command] of covered) {
      assert.isTrue(CommandPattern.surelyMeans(pattern, [words(command)]), command)
    }
  })

  it("is not offered for a command that runs a program of its arguments", () => {
    for (const command of opaque) assert.isNull(CommandPattern.patternOf(words(command)), command)
  })

  it("covers programs that are named as properties of objects are", () => {
    for (const name of ["constructor", "__proto__", "toString", "valueOf"]) {
      for (const second of ["x", "constructor", "--constructor"]) {
        assert.isTrue(CommandPattern.surelyMeans(`${name} *`, [[name, second]]))
        assert.isString(CommandPattern.patternOf([name, second]))
      }
      assert.isTrue(CommandPattern.surelyMeans("git *", [["git", name, "-x"]]))
    }
  })

  it("names the script if one runs", () => {
    assert.strictEqual(CommandPattern.patternOf(words("npm run build --watch")), "npm run build *")
    assert.strictEqual(CommandPattern.patternOf(words("pnpm run test:unit")), "pnpm run test:unit *")
    assert.strictEqual(CommandPattern.patternOf(words("npm test --silent")), "npm test *")
  })

  it("shows such an option among the commands that it does not cover", () => {
    const { match, notMatch } = CommandPattern.examplesOf("git push *")
    assert.include(notMatch, "git push --receive-pack=other")
    for (const text of match) assert.isTrue(CommandPattern.surelyMeans("git push *", [words(text)]), text)
  })
})

describe("The options of git", () => {
  it("run another program or write another file, also shortened", () => {
    const directory = mkdtempSync(join(tmpdir(), "bough-test-"))
    const git = (...args: ReadonlyArray<string>) =>
      spawnSync("git", ["-C", directory, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        env: { PATH: process.env["PATH"], HOME: "/nonexistent" }
      })
    git("init", "-q")
    writeFileSync(join(directory, "file"), "x\n")
    git("add", "file")
    git("commit", "-qm", "one")
    git("commit", "-qm", "two", "--allow-empty")
    const marker = join(directory, "ran")
    const program = `touch ${marker} #`
    git("init", "-q", "--bare", "fixtures/evil.git")
    writeFileSync(join(directory, "fixtures/evil.git/hooks/post-receive"), `#!/bin/sh\ntouch ${marker}\n`, {
      mode: 0o755
    })
    for (const args of [
      ["push", "-q", "fixtures/evil.git", "HEAD:refs/heads/x"],
      ["push", `--rece=${program}`, ".", "HEAD"],
      ["push", `--exe=${program}`, ".", "HEAD"],
      ["fetch", `--upl=${program}`, "."],
      ["clone", "-qu", program, "file://" + directory, join(directory, "x")],
      ["grep", `--open=${program}`, "x"],
      ["grep", `-O${program}`, "x"],
      ["rebase", "-x", `touch ${marker}`, "HEAD~1"],
      ["log", `--output=${marker}`]
    ]) {
      git(...args)
      assert.isTrue(existsSync(marker), `${args.join(" ")} ran nothing`)
      rmSync(marker)
      const command = ["git", ...args]
      assert.isFalse(CommandPattern.surelyMeans(`git ${args[0]} *`, [command]), args.join(" "))
    }
    assert.strictEqual(readFileSync(join(directory, "file"), "utf8"), "x\n")
    rmSync(directory, { recursive: true })
  })
})
