import { assert, describe, it } from "@effect/vitest"
import { Sensitive } from "../src/index.ts"

const segments = (path: string): ReadonlyArray<string> => path.split("/")

describe("Sensitive", () => {
  it("checks each name that a file may be a copy of once, also one with many dots and endings", () => {
    const copy = (name: string) => `${".".repeat(20)}${name}${".swp".repeat(45)}`
    assert.strictEqual(Sensitive.sensitivity([copy("main")]), "none")
    assert.strictEqual(Sensitive.sensitivity([copy("env")]), "secret")
  })

  it.each([
    ".git/config",
    ".GIT/hooks/pre-commit",
    ".g\u200Cit/config",
    ".gi\uFEFFt/config",
    "\u2060.git/config",
    ".git./config",
    ".git /config",
    ".git::$INDEX_ALLOCATION/config",
    "git~1/config",
    "sub/.git",
    ".bough/config.jsonc",
    ".BOUGH",
    ".\u{E0062}bough/x"
  ])("%j is never written", (path) => assert.isTrue(Sensitive.isProtected(segments(path), "write")))

  it.each([
    ".bough/x",
    ".ssh/known_hosts",
    "home/.SSH/config",
    ".aws/credentials",
    "id_rsa",
    "deploy/id_ed25519",
    "server.pem",
    "server.PEM",
    "tls.\u212Aey",
    "certs/a.key",
    ".netrc",
    ".docker/config.json",
    ".git-credentials",
    "id_ecdsa_sk",
    ".pem",
    "home/.config/gh/hosts.yml",
    "gcloud/.config/op",
    "id_rsa~",
    "#server.pem#",
    ".id_ed25519.swp",
    ".netrc.swo",
    "tls.key.bak",
    ".docker/config.json.~2~"
  ])("%j is never read", (path) => assert.isTrue(Sensitive.isProtected(segments(path), "read")))

  it.each([
    ".gitignore",
    ".github/workflows/ci.yml",
    "git/config",
    "src/.gitkeep",
    "bough",
    "id_rsa.pub",
    "keys.ts",
    "monkey",
    "src/\uFF0Egit/x",
    "git~2/x",
    "docker/config.json",
    "notes~",
    "~",
    ".swp",
    "#a#",
    "key.bak",
    "config.json.bak",
    "id_rsa_s",
    "pem",
    ".config/x/gh",
    ".docker/x/config.json"
  ])("%j is free", (path) => {
    assert.isFalse(Sensitive.isProtected(segments(path), "write"))
    assert.isFalse(Sensitive.isProtected(segments(path), "read"))
  })

  it(".git may be read, as far as it contains no credentials", () => {
    assert.isFalse(Sensitive.isProtected([".git", "HEAD"], "read"))
    assert.strictEqual(Sensitive.sensitivity([".git", "HEAD"]), "none")
    assert.strictEqual(Sensitive.sensitivity([".git", "config"]), "secret")
  })

  it.each([
    [".env", "secret"],
    [".ENV", "secret"],
    ["app/.env.production", "secret"],
    ["prod.env", "secret"],
    [".envrc", "secret"],
    [".npmrc", "secret"],
    ["config/secrets.yml", "secret"],
    [".yarnrc.yml", "secret"],
    ["infra/prod.tfstate.backup", "secret"],
    ["my.kubeconfig", "secret"],
    ["auth.json", "secret"],
    [".env~", "secret"],
    ["#.env#", "secret"],
    ["app/.env.~1~", "secret"],
    ["prod.env.bak", "secret"],
    [".npmrc.swp", "secret"],
    [".credentials.json.swp", "secret"],
    ["config/secrets.yml.orig~", "secret"],
    ["#.env.local#", "secret"],
    ["npmrc~", "none"],
    ["main.ts~", "none"],
    ["oauth.json", "none"],
    [".env.example.local", "secret"],
    ["credentials", "secret"],
    ["credentials.tfrc.json", "secret"],
    ["secret.properties", "secret"],
    ["service-account.json", "secret"],
    ["client_secret_1.json", "secret"],
    ["x-adminsdk-y.json", "secret"],
    ["prod.tfvars.json", "secret"],
    ["home/.m2/settings.xml", "secret"],
    ["client_secret.txt", "none"],
    ["adminsdk", "none"],
    [".kubeconfig", "none"],
    [".tfvars", "none"],
    ["credentials.ts", "none"],
    [".m2/x/settings.xml", "none"],
    ["my.credentials.ts", "none"],
    ["src/auth.ts", "none"],
    [".env.example", "none"],
    [".env.sample", "none"],
    ["environment.ts", "none"],
    ["AGENTS.md", "instructions"],
    ["docs/agents.MD", "instructions"],
    ["skills/x/SKILL.md", "instructions"],
    ["CLAUDE.md", "instructions"],
    [".mcp.json", "instructions"],
    [".cursorrules", "instructions"],
    [".vscode/settings.json", "configuration"],
    [".VSCode/tasks.json", "configuration"],
    [".idea/workspace.xml", "configuration"],
    ["app.code-workspace", "configuration"],
    [".gitmodules", "configuration"],
    [".husky/pre-commit", "configuration"],
    ["sub/.githooks/pre-push", "configuration"],
    ["sub/.pre-commit-config.yaml", "configuration"],
    [".lefthook-local.toml", "configuration"],
    ["Lefthook.yml", "configuration"],
    ["sub/.hg/hgrc", "configuration"],
    [".dir-locals-2.el", "configuration"],
    [".nvimrc", "configuration"],
    [".devcontainer.json", "configuration"],
    [".helix/languages.toml", "configuration"],
    ["app.sublime-project", "configuration"],
    [".jj/repo/config.toml", "configuration"],
    [".lfsconfig", "configuration"],
    [".cargo/config.toml", "configuration"],
    ["sub/.yarnrc", "configuration"],
    [".Rprofile", "configuration"],
    ["opencode.json", "configuration"],
    [".kiro/settings/mcp.json", "instructions"],
    [".clinerules", "instructions"],
    ["cargo/config.toml", "none"],
    ["crush.ts", "none"],
    [".code-workspace", "none"],
    [".hg/store/data", "none"],
    ["husky/pre-commit", "none"],
    ["vscode/settings.json", "none"],
    ["src/agents.ts", "none"]
  ] as const)("%j is %s", (path, expected) => assert.strictEqual(Sensitive.sensitivity(segments(path)), expected))

  it("treats the two Unicode spellings of a name as one, and other names as different", () => {
    assert.strictEqual(Sensitive.fold("caf\u00E9"), Sensitive.fold("cafe\u0301"))
    assert.notStrictEqual(Sensitive.fold("cafe"), Sensitive.fold("caf\u00E9"))
  })

  it("finds the paths below a place in any spelling", () => {
    assert.isTrue(Sensitive.isAtOrBelow(["Data", "x"], ["data"]))
    assert.isTrue(Sensitive.isAtOrBelow(["data"], ["data"]))
    assert.isFalse(Sensitive.isAtOrBelow(["database"], ["data"]))
    assert.isFalse(Sensitive.isAtOrBelow([], ["data"]))
  })
})
