/**
 * Other names for the subcommand that a rule names, for rules that deny or ask: abbreviations, built-in synonyms, aliases
 * of the user's or the folder's configuration, and commands with the same effect. The command line does not
 * show an alias: every word apart from the known subcommands may be one.
 */

/** A word of a command; null: a variable, a pattern or a substitution gives it. */
export type Word = string | null

const list = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Programs that accept any beginning of a subcommand. */
const abbreviating = list("npm hg gradle composer bundle gem")

/** Programs that take several goals in one command. */
const severalGoals = list("mvn gradle")

/** Wrappers of a repository that run the program of another name. */
const wrappers = new Map([
  ["gradlew", "gradle"],
  ["mvnw", "mvn"]
])

/** The words between a program and a script that run that script, as the program does without them. */
const runWords = new Map(
  Object.entries({
    npm: list("run run-script rum urn"),
    pnpm: list("run run-script"),
    yarn: list("run"),
    bun: list("run")
  })
)

const groups = (text: string): ReadonlyArray<ReadonlySet<string>> => text.split(", ").map(list)

const ofNpm =
  "install i in ins inst insta instal isnt isnta isntal isntall add, test tst t, uninstall un unlink remove rm r, " +
  "update up upgrade udpate, exec x, config c, link ln, list ls ll la, view v info show, ci clean-install ic install-clean " +
  "isntall-clean, init create innit, login adduser add-user, search s se find, owner author, dist-tag dist-tags, rebuild rb, " +
  "install-test it, install-ci-test cit clean-install-test sit"

/** Names that are built into a program for one subcommand. */
const synonyms = new Map(
  Object.entries({
    npm: groups(ofNpm),
    pnpm: groups(ofNpm),
    bun: groups("install i, add a, remove rm"),
    cargo: groups("build b, check c, doc d, run r, test t, remove rm"),
    svn: groups("commit ci, checkout co, delete del remove rm, copy cp, move mv rename ren, switch sw, update up"),
    hg: groups("commit ci, update up checkout co"),
    brew: groups("uninstall remove rm, install instal"),
    git: groups("stage add")
  })
)

interface Aliases {
  /** The subcommands that no alias can replace, and those of common extensions. */
  readonly known: ReadonlySet<string>
  /** The options before a subcommand with a value as the next word. */
  readonly valued: ReadonlySet<string>
}

/** Programs whose configuration gives names to subcommands. */
const aliases = new Map<string, Aliases>(
  Object.entries({
    git: {
      known: list(
        "add am annotate apply archimport archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore " +
          "check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph " +
          "commit-tree config count-objects credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon " +
          "describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack " +
          "filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects gc get-tar-commit-id grep gui " +
          "hash-object help history hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb " +
          "interpret-trailers last-modified log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file " +
          "merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree merge-tree mergetool mktag " +
          "mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push " +
          "quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay repo request-pull rerere " +
          "reset restore rev-list rev-parse revert rm send-email send-pack sh-i18n sh-setup shell shortlog show show-branch show-index " +
          "show-ref sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file " +
          "unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack " +
          "verify-tag version whatchanged worktree write-tree absorb annex crypt filter-repo lfs"
      ),
      valued: list("-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source")
    },
    gh: {
      known: list(
        "accessibility agent-task alias api attestation auth browse cache co codespace completion config copilot extension gist " +
          "gpg-key help issue label licenses org pr preview project release repo ruleset run search secret skill ssh-key status " +
          "variable version workflow"
      ),
      valued: list("-R --repo --hostname")
    },
    cargo: {
      known: list(
        "add audit b bench build c check clean clippy config d deny doc expand fetch fix fmt generate-lockfile help info init insta " +
          "install llvm-cov locate-project login logout machete metadata miri new nextest outdated owner package pkgid publish r read-manifest " +
          "remove report rm run rustc rustdoc search t test tree uninstall update vendor verify-project version watch yank"
      ),
      valued: list("-C -Z --config --color --explain")
    },
    hg: {
      known: list(
        "add addremove annotate archive backout bisect blame bookmarks branch branches bundle cat checkout ci clone co commit config " +
          "copy cp diff export files forget graft grep heads help histedit identify id import in incoming init log manifest merge mv out outgoing " +
          "parents paths phase pull push rebase recover remove rename resolve revert rm rollback root serve shelve st stat status " +
          "strip summary tag tags tip unbundle unshelve up update verify version"
      ),
      valued: list("-R --repository --cwd --config --encoding --color --pager")
    },
    jj: {
      known: list(
        "abandon absorb b backout bisect bookmark commit config desc describe diff diffedit duplicate edit evolog file fix git gerrit " +
          "help interdiff log metaedit new next op operation parallelize prev rebase redo resolve restore revert root show sign simplify-parents " +
          "sparse split squash st status tag undo unsign util version workspace"
      ),
      valued: list("-R --repository --at-op --at-operation --config --config-file --color")
    }
  })
)

/** Commands with the effect of a denied one; options stand anywhere in them. */
const equivalents = new Map<string, ReadonlyArray<ReadonlyArray<string>>>(
  Object.entries({
    "git push": (
      "git send-pack, git http-push, git remote-http, git remote-https, git remote-ftp, git remote-ftps, git remote-ext, " +
      "git remote-fd, git subtree push, git lfs push, git annex sync, git annex push, git svn dcommit, git p4 submit, " +
      "gh repo sync, gh repo create --push, jj git push, hub push, hub sync"
    )
      .split(", ")
      .map((text) => text.split(" ")),
    "npm publish": "pnpm publish, yarn publish, yarn npm publish, bun publish"
      .split(", ")
      .map((text) => text.split(" "))
  })
)

/** Returns the commands with the effect of the words of a rule. */
export const equivalentsOf = ([program = "", subcommand = ""]: ReadonlyArray<string>): ReadonlyArray<
  ReadonlyArray<string>
> => equivalents.get(`${program} ${subcommand}`) ?? []

/** Returns the program that a wrapper of a repository runs. */
export const programOf = (name: string): string => wrappers.get(name) ?? name

/** True if goals of the program may stand anywhere in a command. */
export const takesSeveralGoals = (program: string): boolean => severalGoals.has(program)

/** Returns the words without the one that only says that a script runs. */
export const withoutRun = <A extends Word>(program: string, words: ReadonlyArray<A>): ReadonlyArray<A> =>
  words.length > 2 && typeof words[1] === "string" && runWords.get(program)?.has(words[1]) === true
    ? [words[0], ...words.slice(2)]
    : words

/** True if the program runs the subcommand of a rule by this word. */
export const isNameOf = (program: string, subcommand: string, word: string): boolean => {
  const same = (synonyms.get(program) ?? []).find((group) => group.has(subcommand)) ?? [subcommand]
  return [...same].some((name) => name === word || (abbreviating.has(program) && word !== "" && name.startsWith(word)))
}

/** True if the command calls its program by a word that an alias of a configuration may define. */
export const mayBeAlias = (program: string, command: ReadonlyArray<Word>): boolean => {
  const found = aliases.get(program)
  if (found === undefined) return false
  let at = 1
  while (isOption(command[at])) at += found.valued.has(command[at] ?? "") ? 2 : 1
  const word = command[at]
  if (typeof word !== "string" || word === "" || found.known.has(word)) return false
  if (abbreviating.has(program) && [...found.known].some((name) => name.startsWith(word))) return false
  // An alias that the command itself defines is read from there.
  return !command.some((other) => other?.startsWith(`alias.${word}=`) === true)
}

/** True if the next word is the value of an option before the subcommand; null: it is not known. */
export const hasValue = (program: string, option: string): boolean | null =>
  aliases.get(program)?.valued.has(option) ?? null

const isOption = (word: Word | undefined): boolean => typeof word === "string" && /^[-+]/u.test(word)
