/**
 * Commands whose first words do not show which program runs: interpreters and wrappers, subcommands that start a
 * program in their arguments, and options that name a program or settings with a program. The lists contain only
 * programs for which a rule about first words would otherwise allow more than its text suggests.
 */

import type { ProgramOptions } from "./ProgramOptions.ts"
import { runnerOptions } from "./RunnerOptions.ts"

const list = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const none: ReadonlySet<string> = new Set()

/** Programs that run code or another program from their arguments. */
const interpreters = list(
  "sh ash bash csh dash elvish fish ksh mksh nu pwsh powershell rbash tcsh xonsh zsh busybox toybox cmd osascript " +
    "env sudo doas su runuser pkexec xargs parallel nice nohup timeout time watch watchexec entr exec eval command builtin source . " +
    "trap alias hash enable mapfile readarray compgen complete fc bind coproc " +
    "at batch bwrap catchsegv chroot chrt crontab direnv dotenv cross-env fakeroot faketime firejail flock ionice numactl nsenter prlimit " +
    "proxychains screen script setpriv setsid stdbuf systemd-run systemd-nspawn taskset tmux torify torsocks unshare cpulimit capsh " +
    "strace ltrace perf gdb lldb valgrind expect ld-linux-x86-64.so ld-linux.so ld-linux-aarch64.so " +
    "node nodejs deno tsx ts-node esno jiti zx babel-node nodemon concurrently electron npx pnpx bunx uvx pipx hatch pdm rye pixi " +
    "python pypy ipython perl ruby irb php lua luajit awk gawk mawk nawk sed gsed find gfind fd m tclsh java jshell groovy kotlin " +
    "scala clojure clj bb guile racket sbcl erl escript elixir iex ghci runghc runhaskell julia r rscript octave swift dart nim crystal " +
    "wasmtime wine mono make gmake ninja cmake ctest meson just task rake ant scons bazel buck tox nox nix nix-shell nix-env guix mise " +
    "asdf rtx volta fnm nvm pyenv rbenv ssh scp sftp rsync tar gtar bsdtar zip wget sort gsort split less more most man vi vim nvim ex " +
    "ed emacs nano tcpdump nmap gcc cc clang ld psql mysql mariadb sqlite docker podman nerdctl kubectl git-shell " +
    "corepack ssh-agent dbus-run-session dbus-launch xvfb-run run-parts start-stop-daemon setarch linux64 linux32 sg newgrp runcon " +
    "chpst daemon daemonize dtach abduco tini dumb-init gosu su-exec unbuffer rlwrap caffeinate xcrun hyperfine socat nc ncat m4 dc " +
    "rpm busctl gdbus dbus-send systemd-inhibit systemd-cat flatpak snap lxc vagrant emacsclient gvim view vimdiff gnuplot c++ g++ " +
    "rustc swiftc javac pre-commit sphinx-build xdg-open open"
)

/** Subcommands that run a program in their arguments, or change settings that name a program. */
const subcommands = new Map<string, ReadonlySet<string>>(
  Object.entries({
    git: list(
      "archimport bisect citool config credential cvsexportcommit cvsimport cvsserver daemon difftool filter-branch for-each-repo gui help " +
        "hook http-backend imap-send instaweb maintenance mergetool p4 quiltimport receive-pack remote remote-ext remote-fd send-email shell " +
        "submodule svn upload-archive upload-pack web--browse"
    ),
    gh: list("alias codespace config cs ext extension extensions"),
    npm: list("c config create edit exec explore init innit set x"),
    pnpm: list("c config create dlx env exec node"),
    yarn: list("config create dlx exec node plugin"),
    bun: list("c create exec x"),
    aws: list("configure"),
    az: list("config extension"),
    brew: list("edit irb ruby services sh"),
    cargo: list("miri watch"),
    gcloud: list("config"),
    go: list("env generate run tool"),
    pip: list("config"),
    uv: list("run tool x"),
    poetry: list("config run shell"),
    bundle: list("config exec plugin"),
    gem: list("exec"),
    composer: list("config exec global"),
    conda: list("config run"),
    rustup: list("run"),
    dotnet: list("exec fsi run script tool"),
    mvn: list("exec:exec exec:java"),
    helm: list("plugin"),
    systemctl: list("edit link set-environment import-environment")
  })
)

/** Subcommands whose third word names the script that runs. */
const scripts = new Map<string, ReadonlySet<string>>(
  Object.entries({
    npm: list("run run-script rum urn"),
    pnpm: list("run run-script"),
    yarn: list("run"),
    bun: list("run"),
    composer: list("run-script run")
  })
)

const ofNpm: ProgramOptions = {
  long: (
    "script-shell shell shell-emulator node-options prefix dir cwd userconfig globalconfig config init-module editor viewer browser git " +
    "node-gyp call pnpmfile global-pnpmfile preload require import env-file eval print use-node-version"
  ).split(" "),
  short: new Map(Object.entries({ "": "C" })),
  endsAtDashes: true
}

const options = new Map<string, ProgramOptions>([
  ...runnerOptions,
  ...Object.entries<ProgramOptions>({
    git: {
      long: (
        "receive-pack upload-pack exec extcmd open-files-in-pager ext-diff textconv exec-path config config-env template output " +
        "output-directory sendmail-cmd strategy git-dir work-tree unsafe-paths prefix export-marks push-option repo"
      ).split(" "),
      short: new Map(
        Object.entries({
          "-": "cC",
          archive: "o",
          clone: "cu",
          "format-patch": "o",
          grep: "O",
          merge: "s",
          pull: "s",
          push: "o",
          rebase: "xs"
        })
      ),
      joinsLetters: true,
      // A helper for a kind of remote.
      operand: /^[\w-]+::/u,
      // A repository on this machine, whose hooks run: also one beside the current directory, named by a single word, which
      // cannot be told from a remote. Remotes have these names nearly always.
      places: new Map([["push", /^(?!(?:origin|upstream|fork)$)(?:file:|\.{1,2}$|~|[^:]*\/|[^:]+$)/u]])
    },
    // `gh repo clone` gives the words after "--" to git; downloads write any file.
    gh: {
      long: "upload-pack config template output dir".split(" "),
      short: new Map(Object.entries({ repo: "cu", gist: "cu", release: "OD", run: "D" }))
    },
    npm: ofNpm,
    pnpm: ofNpm,
    yarn: ofNpm,
    bun: { ...ofNpm, short: new Map(Object.entries({ "": "repc" })) },
    cargo: {
      long: ["config", "manifest-path", "target-dir", "artifact-dir", "out-dir"],
      short: new Map(Object.entries({ "": "CZ" })),
      endsAtDashes: true,
      passesOn: list("rustc rustdoc")
    },
    go: {
      long: "exec toolexec vettool C overlay modfile ldflags gcflags gccgoflags asmflags compiler pkgdir o".split(" "),
      isSingleDash: true
    },
    apt: { long: ["option", "config-file"], short: new Map(Object.entries({ "": "oc" })) },
    "apt-get": { long: ["option", "config-file"], short: new Map(Object.entries({ "": "oc" })) },
    mvn: {
      long: ["file", "settings", "global-settings"],
      short: new Map(Object.entries({ "": "fs" })),
      operand: /^-D(?:maven\.ext\.class\.path|exec\.|jvm=|argLine=|maven\.surefire\.debug)/u
    },
    gradle: {
      long: ["init-script", "build-file", "project-dir", "settings-file", "include-build"],
      short: new Map(Object.entries({ "": "Ibpc" }))
    },
    helm: { long: ["post-renderer"] },
    pip: { long: ["python", "log"] },
    uv: { long: ["python", "directory", "project", "config-file"], short: new Map(Object.entries({ "": "p" })) },
    poetry: { long: ["directory", "project"], short: new Map(Object.entries({ "": "CP" })) },
    bundle: { long: ["gemfile"] },
    gem: { long: ["config-file"] },
    composer: { long: ["working-dir"], short: new Map(Object.entries({ "": "d" })) },
    rg: { long: ["pre", "hostname-bin"] },
    terraform: { long: ["plugin-dir", "out"], isSingleDash: true },
    tofu: { long: ["plugin-dir", "out"], isSingleDash: true }
  })
])

/** The names of recent words, because each command of a call is compared with every rule. */
const nameByWord = new Map<string, string>()
const maxWords = 1_000
/** A longer word is not stored: it names no program. */
const maxWordLength = 256

/** Returns the name of a program without directory, version and suffix. */
export const nameOf = (word: string): string => {
  const known = nameByWord.get(word)
  if (known !== undefined) return known
  const name = word
    .replace(/^.*\//u, "")
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/u, "")
    .replace(/[-.]?\d[\d.]*$/u, "")
  if (word.length > maxWordLength) return name
  if (nameByWord.size >= maxWords) nameByWord.clear()
  nameByWord.set(word, name)
  return name
}

/** True if the first words of the command say nothing about its effect. */
export const interprets = ([program = "", subcommand = ""]: ReadonlyArray<string>): boolean => {
  const name = nameOf(program)
  return interpreters.has(name) || (subcommands.get(name) ?? none).has(subcommand)
}

/** True if the third word of the command names the script that runs. */
export const runsScript = ([program = "", subcommand = ""]: ReadonlyArray<string>): boolean =>
  (scripts.get(nameOf(program)) ?? none).has(subcommand)

/** True if a word from `from` on is an option that names another program, or settings that may name one. */
export const names = (command: ReadonlyArray<string>, from: number): boolean => {
  const [program = "", subcommand = ""] = command
  const known = options.get(nameOf(program))
  if (known === undefined) return false
  const end = known.endsAtDashes === true && known.passesOn?.has(subcommand) !== true ? command.indexOf("--") : -1
  const group = subcommand.startsWith("-") ? "-" : subcommand
  const letters = `${known.short?.get("") ?? ""}${known.short?.get(group) ?? ""}`
  const place = command.findIndex((word, at) => at > 1 && !word.startsWith("-"))
  if (place >= from && known.places?.get(subcommand)?.test(command[place]) === true) return true
  return command.slice(from, end < from ? undefined : end).some((word, index) => {
    if (known.operand?.test(word) === true) return true
    const [, dashes = "", fullName = "", value] = /^(--?)([^=]*)(?:=(.*))?$/su.exec(word) ?? []
    const optionName = known.hasDottedSettings === true ? fullName : fullName.replace(/\..*$/su, "")
    if (optionName === "" || isHarmless(known, optionName, value ?? command[from + index + 1])) return false
    const isLong = dashes === "--" || known.isSingleDash === true
    if (isLong && known.hasDottedSettings === true && optionName.includes(".")) return true
    return isLong
      ? isOneOf(known, optionName)
      : letters
          .split("")
          .some((letter) => (known.joinsLetters === true ? optionName.includes(letter) : optionName.startsWith(letter)))
  })
}

const isHarmless = ({ harmless }: ProgramOptions, optionName: string, value: string | undefined): boolean =>
  value !== undefined && harmless?.get(optionName)?.test(value) === true

/** True if the text is a name of an option, as the program reads it. */
const isOneOf = ({ isSingleDash, long, readsWholeNames }: ProgramOptions, text: string): boolean => {
  const fold = (name: string): string => name.replaceAll("-", "").toLowerCase()
  if (readsWholeNames === true) return long.some((name) => fold(name) === fold(text))
  return long.some((name) => (isSingleDash === true ? name === text : name.startsWith(text)))
}

/** Returns an option of the program that a rule about first words does not cover, as an example; null: there is none. */
export const exampleFor = (program: string): string | null => {
  const [option = null] = options.get(nameOf(program))?.long ?? []
  return option === null ? null : `--${option}=other`
}
