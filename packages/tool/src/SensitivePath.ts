/**
 * The paths of a workspace that are forbidden, and those that need approval, for both the file tools and the sandbox of
 * commands. Names are compared as on the most lenient file system: composed, case-folded, and without ignored code
 * points. A prohibition takes precedence over an approval.
 */
import type { Sensitivity } from "./WorkspaceRead.ts"

// Windows and HFS+ equate these with the plain name: trailing dots and spaces, streams, invisible code points.
const ignorable = (): RegExp => /\p{Default_Ignorable_Code_Point}/gu
const trailing = /[. ]+$|:.*$/gsu

/** Folds names that a file system may treat as equal. */
export const fold = (name: string): string => {
  // Nearly every name only needs to be converted to lower case.
  if (/^[\w-]+(\.[\w-]+)*$/.test(name)) return name.toLowerCase()
  const folded = name.normalize("NFC").replace(ignorable(), "").toUpperCase().toLowerCase().normalize("NFC")
  const short = folded.replace(trailing, "")
  return short === "" ? folded : short === "git~1" ? ".git" : short
}

/**
 * Names of one kind, folded. They are looked up instead of matched by patterns: the engine takes 2 ms to compile patterns
 * of this length, in the first call that names a path.
 */
interface Names {
  /** Whole names, or the last two with the slash between them. */
  readonly exact: ReadonlySet<string>
  /** The part after the last dot; a name may begin with that dot. */
  readonly extensions: ReadonlySet<string>
  /** Ends of names, before which at least one character stands. */
  readonly endings: ReadonlyArray<string>
  /** The beginning and the end of a name, and a text between them or "". */
  readonly framed: ReadonlyArray<Frame>
}

type Frame = readonly [beginning: string, within: string, end: string]

const names = (
  exact: ReadonlyArray<string>,
  {
    endings = [],
    extensions = [],
    framed = []
  }: {
    readonly endings?: ReadonlyArray<string>
    readonly extensions?: ReadonlyArray<string>
    readonly framed?: ReadonlyArray<Frame>
  } = {}
): Names => ({ exact: new Set(exact), extensions: new Set(extensions), endings, framed })

/** Returns each beginning with each end. */
const combined = (beginnings: ReadonlyArray<string>, ends: ReadonlyArray<string>): ReadonlyArray<string> =>
  beginnings.flatMap((beginning) => ends.map((end) => `${beginning}${end}`))

const neverWritten = names([".git", "git~1"])
const neverTouched = names([
  ".bough",
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".oci",
  ".password-store",
  ".config/gcloud",
  ".config/gh",
  ".config/op"
])
const keys = names(
  [
    ...combined(["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"], ["", "_sk"]),
    ".vault-token",
    ".mylogin.cnf",
    ".dockercfg",
    ".git-credentials",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".docker/config.json"
  ],
  {
    extensions: ["pem", "key", "p8", "p12", "pfx", "ppk", "jks", "jceks", "keystore", "keytab", "kdbx", "ovpn"]
  }
)
const secrets = names(
  [
    ".env",
    ".envrc",
    ".npmrc",
    ".pypirc",
    ".htpasswd",
    ".yarnrc.yml",
    ...combined(["credentials"], ["", ".json", ".toml", ".yml", ".yaml", ".ini", ".csv", ".tfrc.json"]),
    ...combined(["secret", "secrets"], [".json", ".yml", ".yaml", ".toml", ".ini", ".properties", ".txt"]),
    "auth.json",
    "kubeconfig",
    ".terraformrc",
    ".boto",
    ".s3cfg",
    ".databrickscfg",
    ".my.cnf",
    ".flaskenv",
    ".vault_pass",
    ".vault_pass.txt",
    ".m2/settings.xml",
    ".git/config"
  ],
  {
    endings: [".env", ".kubeconfig", ".tfvars", ".tfvars.json", ".tfstate", ".tfstate.backup"],
    framed: [
      ["service-account", "", ".json"],
      ["client_secret", "", ".json"],
      ["gha-creds", "", ".json"],
      ["", "adminsdk", ".json"]
    ]
  }
)
/** Names after ".env" that mark an example without secrets. */
const examples: ReadonlySet<string> = new Set([".example", ".sample", ".template", ".dist", ".defaults"])
const instructions = names([
  "agents.md",
  "agents.override.md",
  "claude.md",
  "claude.local.md",
  "gemini.md",
  "skill.md",
  "agent.md",
  "qwen.md",
  "warp.md",
  "copilot-instructions.md",
  ".cursorrules",
  ".windsurfrules",
  ".clinerules",
  ".goosehints",
  "mcp.json",
  ".mcp.json"
])
const configuration = names(
  [
    ".gitmodules",
    ".husky",
    ".githooks",
    ".pre-commit-config.yaml",
    ...combined(combined(["lefthook", ".lefthook"], ["", "-local"]), [".yml", ".yaml", ".toml", ".json"]),
    ".overcommit.yml",
    ".lfsconfig",
    ".hg/hgrc",
    ".hg/hgrc-not-shared",
    ".sl/config",
    ".jj",
    ".pijul/config",
    ".cargo/config",
    ".cargo/config.toml",
    ".yarnrc",
    ".rprofile",
    ".vscode",
    ".idea",
    ".cursor",
    ".zed",
    ".fleet",
    ".nova",
    ".vs",
    ".helix",
    ".devcontainer",
    ".devcontainer.json",
    ".claude",
    ".codex",
    ".gemini",
    ".qwen",
    ".kiro",
    ".windsurf",
    ".roo",
    ".continue",
    ".junie",
    ".amazonq",
    ".augment",
    ".opencode",
    ...combined(["opencode", "crush", ".crush"], [".json", ".jsonc"]),
    ".aider.conf.yml",
    ".exrc",
    ".vimrc",
    ".lvimrc",
    ".nvimrc",
    ".nvim.lua",
    ".dir-locals.el",
    ".dir-locals-2.el"
  ],
  { endings: [".code-workspace", ".sublime-project"] }
)

/** Endings of the copies that editors, merges and people make of a file. */
const copies: ReadonlySet<string> = new Set(
  "~ .bak .backup .copy .old .orig .original .rej .save .saved .swp .swo .swn .tmp .temp".split(" ")
)

/** Returns the possible names of the file that one of this name is a copy of, such as ".env" for ".env~" or "#.env#". */
const originals = (name: string): ReadonlyArray<string> => {
  if (name.length > 2 && name.startsWith("#") && name.endsWith("#")) return [name.slice(1, -1)]
  const ending = name.endsWith("~") ? "~" : name.slice(Math.max(name.lastIndexOf("."), 0))
  if (name.length === ending.length || !copies.has(ending)) return []
  const stem = name.slice(0, -ending.length)
  // vim puts a dot before a name that has none, and emacs ends a numbered copy with ".~1~".
  return ending.startsWith(".sw") && stem.startsWith(".") ? [stem, stem.slice(1)] : [stem.replace(/\.~\d+$/u, "")]
}

/**
 * True if the file of the path, or one that it is a copy of, has the property. Each possible name is checked once: a
 * name of many endings and dots has an exponential number of ways to them.
 */
const orCopied = (holds: (path: ReadonlyArray<string>) => boolean, path: ReadonlyArray<string>): boolean => {
  if (holds(path)) return true
  const directory = path.slice(0, -1)
  const found = new Set(originals(path.at(-1) ?? ""))
  // The loop also visits the names that it adds.
  for (const name of found) {
    if (holds([...directory, name])) return true
    for (const original of originals(name)) found.add(original)
  }
  return false
}

/** True if the names include the one at this position of the path. */
const includesAt = (
  { endings, exact, extensions, framed }: Names,
  path: ReadonlyArray<string>,
  at: number
): boolean => {
  const name = path[at]
  if (exact.has(name) || (at > 0 && exact.has(`${path[at - 1]}/${name}`))) return true
  const dot = name.lastIndexOf(".")
  return (
    (dot >= 0 && extensions.has(name.slice(dot + 1))) ||
    endings.some((ending) => name.length > ending.length && name.endsWith(ending)) ||
    framed.some((frame) => isFramed(name, frame))
  )
}

const isFramed = (name: string, [beginning, within, end]: Frame): boolean =>
  name.length >= beginning.length + end.length &&
  name.startsWith(beginning) &&
  name.endsWith(end) &&
  name.slice(beginning.length, name.length - end.length).includes(within)

/** True if the names include the last one of the path. */
const named = (kind: Names, path: ReadonlyArray<string>): boolean =>
  path.length > 0 && includesAt(kind, path, path.length - 1)

/** True if the names include any of the path. */
const below = (kind: Names, path: ReadonlyArray<string>): boolean => path.some((_, at) => includesAt(kind, path, at))

const isEnvironment = (path: ReadonlyArray<string>): boolean => {
  const name = path.at(-1) ?? ""
  return name.startsWith(".env.") && name.length > ".env.".length && !examples.has(name.slice(".env".length))
}

const isKey = (path: ReadonlyArray<string>): boolean => named(keys, path)
const isSecret = (path: ReadonlyArray<string>): boolean => named(secrets, path) || isEnvironment(path)

/** True if this access to a path below the root is always refused. */
export const isProtected = (segments: ReadonlyArray<string>, access: "read" | "write"): boolean => {
  const path = folded(segments)
  return below(neverTouched, path) || orCopied(isKey, path) || (access === "write" && below(neverWritten, path))
}

/** True if the path is in version control or agent state. Trees that contain such a path are not moved as a whole. */
export const holdsState = (segments: ReadonlyArray<string>): boolean => {
  const path = folded(segments)
  return below(neverTouched, path) || below(neverWritten, path)
}

export const sensitivity = (segments: ReadonlyArray<string>): Sensitivity => {
  const path = folded(segments)
  return orCopied(isSecret, path)
    ? "secret"
    : named(instructions, path)
      ? "instructions"
      : below(configuration, path)
        ? "configuration"
        : "none"
}

/** Folds a path; a segment that contains a slash counts as several. */
const folded = (segments: ReadonlyArray<string>): ReadonlyArray<string> => segments.map(fold).join("/").split("/")

/** True if `segments` are at or below `place`, regardless of case and Unicode form. */
export const isAtOrBelow = (segments: ReadonlyArray<string>, place: ReadonlyArray<string>): boolean =>
  place.length <= segments.length && place.every((name, index) => fold(name) === fold(segments[index]))
