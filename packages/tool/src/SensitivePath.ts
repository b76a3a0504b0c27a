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

const below = (...names: ReadonlyArray<string>): RegExp => new RegExp(`(^|/)(${names.join("|")})(/|$)`, "u")
const named = (...names: ReadonlyArray<string>): RegExp => new RegExp(`(^|/)(${names.join("|")})$`, "u")

const neverWritten = below("\\.git", "git~1")
const neverTouched = below(
  "\\.bough",
  "\\.ssh",
  "\\.gnupg",
  "\\.aws",
  "\\.azure",
  "\\.kube",
  "\\.oci",
  "\\.password-store",
  "\\.config/(gcloud|gh|op)"
)
const keys = named(
  "id_(rsa|dsa|ecdsa|ed25519)(_sk)?",
  "[^/]*\\.(pem|key|p8|p12|pfx|ppk|jks|jceks|keystore|keytab|kdbx|ovpn)",
  "\\.vault-token",
  "\\.mylogin\\.cnf",
  "\\.dockercfg",
  "\\.git-credentials",
  "\\.netrc",
  "_netrc",
  "\\.pgpass",
  "\\.docker/config\\.json"
)
const secrets = named(
  "\\.env(?!\\.(example|sample|template|dist|defaults)$)(\\.[^/]+)?",
  "[^/]+\\.env",
  "\\.envrc",
  "\\.npmrc",
  "\\.pypirc",
  "\\.htpasswd",
  "\\.yarnrc\\.yml",
  "credentials(\\.(json|toml|ya?ml|ini|csv|tfrc\\.json))?",
  "secrets?\\.(json|ya?ml|toml|ini|properties|txt)",
  "auth\\.json",
  "(service-account|client_secret|gha-creds)[^/]*\\.json",
  "[^/]*adminsdk[^/]*\\.json",
  "([^/]+\\.)?kubeconfig",
  "[^/]+\\.tfvars(\\.json)?",
  "[^/]+\\.tfstate(\\.backup)?",
  "\\.(terraformrc|boto|s3cfg|databrickscfg|my\\.cnf|flaskenv)",
  "\\.vault_pass(\\.txt)?",
  "\\.m2/settings\\.xml",
  "\\.git/config"
)
const instructions = named(
  "agents(\\.override)?\\.md",
  "claude(\\.local)?\\.md",
  "gemini\\.md",
  "skill\\.md",
  "copilot-instructions\\.md",
  "\\.cursorrules",
  "\\.windsurfrules",
  "\\.?mcp\\.json"
)
const configuration = below(
  "\\.gitmodules",
  "\\.husky",
  "\\.githooks",
  "\\.pre-commit-config\\.yaml",
  "\\.?lefthook(-local)?\\.(ya?ml|toml|json)",
  "\\.overcommit\\.yml",
  "\\.hg/hgrc",
  "\\.sl/config",
  "\\.vscode",
  "\\.idea",
  "\\.cursor",
  "\\.zed",
  "\\.fleet",
  "\\.devcontainer",
  "\\.claude",
  "\\.codex",
  "\\.gemini",
  "\\.opencode",
  "[^/]+\\.code-workspace",
  "\\.exrc",
  "\\.n?vimrc",
  "\\.nvim\\.lua",
  "\\.dir-locals(-2)?\\.el"
)

/** True if this access to a path below the root is always refused. */
export const isProtected = (segments: ReadonlyArray<string>, access: "read" | "write"): boolean => {
  const path = folded(segments)
  return neverTouched.test(path) || keys.test(path) || (access === "write" && neverWritten.test(path))
}

/** True if the path is in version control or agent state. Trees that contain such a path are not moved as a whole. */
export const holdsState = (segments: ReadonlyArray<string>): boolean => {
  const path = folded(segments)
  return neverTouched.test(path) || neverWritten.test(path)
}

export const sensitivity = (segments: ReadonlyArray<string>): Sensitivity => {
  const path = folded(segments)
  return secrets.test(path)
    ? "secret"
    : instructions.test(path)
      ? "instructions"
      : configuration.test(path)
        ? "configuration"
        : "none"
}

const folded = (segments: ReadonlyArray<string>): string => segments.map(fold).join("/")

/** True if `segments` are at or below `place`, regardless of case and Unicode form. */
export const isAtOrBelow = (segments: ReadonlyArray<string>, place: ReadonlyArray<string>): boolean =>
  place.length <= segments.length && place.every((name, index) => fold(name) === fold(segments[index]))
