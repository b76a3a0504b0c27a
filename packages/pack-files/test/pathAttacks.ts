/**
 * Paths out of the workspace, and deceptive names. Each row is a workspace, a call and its required result. `$ROOT` and
 * `$OUTSIDE` stand for the workspace and the directory beside it, which every link and write targets: a broken tool
 * must not change a file of the machine through a link.
 */

export type Setup =
  | { readonly file: string; readonly content?: string; readonly mode?: number }
  | { readonly link: string; readonly to: string }
  | { readonly hardLink: string; readonly to: string; readonly owner?: number }
  | { readonly sparse: string; readonly bytes: number }
  | { readonly fifo: string }
  | { readonly device: string; readonly major: number; readonly minor: number }

export type Call =
  | { readonly tool: "read_file"; readonly path: string }
  | { readonly tool: "write_file"; readonly path: string; readonly content: string }
  | { readonly tool: "edit_file"; readonly path: string; readonly old: string; readonly new: string }
  | { readonly tool: "find_files"; readonly glob: string }
  | { readonly tool: "create_directory"; readonly path: string }
  | { readonly tool: "delete_path"; readonly path: string }
  | { readonly tool: "move_path"; readonly from: string; readonly to: string }
  | { readonly tool: "copy_path"; readonly from: string; readonly to: string }

export type Expected =
  /** PermissionDenied whose reason begins with the name. */
  | { readonly refused: string }
  /** One of the four errors, with these words in it. */
  | { readonly error: string }
  /** Raised to Elevated, with these words in the reason. */
  | { readonly asked: string }
  | { readonly text: string }
  /** Afterwards a file of the workspace has this content; `mode` in octal. */
  | { readonly holds: { readonly path: string; readonly text: string; readonly mode?: string } }
  | { readonly paths: ReadonlyArray<string> }

export interface Attack {
  readonly name: string
  readonly setup?: ReadonlyArray<Setup>
  readonly call: Call
  readonly expected: Expected
  readonly needsRoot?: true
}

const write = (path: string, content = "x"): Call => ({ tool: "write_file", path, content })
const read = (path: string): Call => ({ tool: "read_file", path })

export const attacks: ReadonlyArray<Attack> = [
  { name: "dots lead out", call: read("../../etc/passwd"), expected: { refused: "PathEscape" } },
  {
    name: "dots lead out after a way in",
    setup: [{ file: "a/b/c" }],
    call: read("a/b/../../../etc/passwd"),
    expected: { refused: "PathEscape" }
  },
  { name: "an absolute path", call: read("$OUTSIDE/secret"), expected: { refused: "PathEscape" } },
  {
    name: "an absolute path that begins with the root",
    call: read("$ROOT/../outside/secret"),
    expected: { refused: "PathEscape" }
  },
  { name: "the memory of the process", call: write("/proc/self/mem"), expected: { refused: "PathEscape" } },
  {
    name: "the agent's own records",
    call: write("$OUTSIDE/.local/share/bough/journal.db"),
    expected: { refused: "PathEscape" }
  },
  {
    name: "a directory outside to be made",
    call: { tool: "create_directory", path: "../made" },
    expected: { refused: "PathEscape" }
  },
  {
    name: "something outside to be deleted",
    call: { tool: "delete_path", path: "../outside/secret" },
    expected: { refused: "PathEscape" }
  },
  {
    name: "something outside to be taken in",
    call: { tool: "copy_path", from: "$OUTSIDE/secret", to: "a" },
    expected: { refused: "PathEscape" }
  },
  {
    name: "something to be carried out",
    setup: [{ file: "a" }],
    call: { tool: "move_path", from: "a", to: "../outside/a" },
    expected: { refused: "PathEscape" }
  },
  {
    name: "a link to a file outside",
    setup: [{ link: "link", to: "$OUTSIDE/secret" }],
    call: read("link"),
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "a directory that is a link to outside",
    setup: [{ link: "d", to: "$OUTSIDE" }],
    call: read("d/secret"),
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "a write through a link to a file outside",
    setup: [{ link: "link", to: "$OUTSIDE/secret" }],
    call: write("link"),
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "a write behind a directory that is a link to outside",
    setup: [{ link: "d", to: "$OUTSIDE" }],
    call: write("d/secret"),
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "a removal behind a directory that is a link to outside",
    setup: [{ link: "d", to: "$OUTSIDE" }],
    call: { tool: "delete_path", path: "d/secret" },
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "a move behind a directory that is a link to outside",
    setup: [{ file: "a" }, { link: "d", to: "$OUTSIDE" }],
    call: { tool: "move_path", from: "a", to: "d/b" },
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "a relative link to outside",
    setup: [{ link: "a/link", to: "../../outside/secret" }],
    call: read("a/link"),
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "a link to a link to outside",
    setup: [
      { link: "one", to: "two" },
      { link: "two", to: "$OUTSIDE/secret" }
    ],
    call: read("one"),
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "a dangling link to outside that a write would make",
    setup: [{ link: "new", to: "$OUTSIDE/created" }],
    call: write("new"),
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "an edit through a link to outside",
    setup: [{ link: "link", to: "$OUTSIDE/secret" }],
    call: { tool: "edit_file", path: "link", old: "canary", new: "x" },
    expected: { refused: "SymlinkEscape" }
  },
  {
    name: "two links that lead to each other",
    setup: [
      { link: "x", to: "y" },
      { link: "y", to: "x" }
    ],
    call: read("x"),
    expected: { error: "links in a circle" }
  },
  {
    name: "a link to itself as a directory",
    setup: [{ link: "x", to: "x/y" }],
    call: read("x/z"),
    expected: { error: "E" }
  },
  {
    name: "a link through the kernel's view of the process",
    setup: [{ link: "p", to: "/proc/self/root$OUTSIDE/secret" }],
    call: read("p"),
    expected: { refused: "MagicLink" }
  },
  {
    name: "a write through the kernel's view of the process",
    setup: [{ link: "p", to: "/proc/self/root$OUTSIDE/secret" }],
    call: write("p"),
    expected: { refused: "MagicLink" }
  },
  {
    name: "a link to an open descriptor",
    setup: [{ link: "p", to: "/dev/fd/0" }],
    call: read("p"),
    expected: { refused: "MagicLink" }
  },
  {
    name: "another owner's file under a second name",
    setup: [{ hardLink: "h", to: "$OUTSIDE/secret", owner: 65534 }],
    call: read("h"),
    expected: { refused: "HardLink" },
    needsRoot: true
  },
  {
    name: "a write to a file of several names",
    setup: [{ hardLink: "h", to: "$OUTSIDE/secret" }],
    call: write("h", "new"),
    expected: { holds: { path: "h", text: "new" } }
  },
  {
    name: "a character device",
    setup: [{ device: "dev", major: 1, minor: 5 }],
    call: read("dev"),
    expected: { refused: "NotRegular" },
    needsRoot: true
  },
  {
    name: "a write to a device",
    setup: [{ device: "dev", major: 1, minor: 5 }],
    call: write("dev"),
    expected: { refused: "NotRegular" },
    needsRoot: true
  },
  {
    name: "a FIFO that nobody writes to",
    setup: [{ fifo: "f" }],
    call: read("f"),
    expected: { refused: "NotRegular" }
  },
  {
    name: "a FIFO that nobody reads from",
    setup: [{ fifo: "f" }],
    call: write("f"),
    expected: { refused: "NotRegular" }
  },
  {
    name: "a file of five terabytes",
    setup: [{ sparse: "huge", bytes: 5 * 1024 ** 4 }],
    call: read("huge"),
    expected: { refused: "TooLarge" }
  },
  {
    name: "a directory that holds a link to itself",
    setup: [{ file: "a/x.ts" }, { link: "a/b", to: "../a" }],
    call: { tool: "find_files", glob: "**/*.ts" },
    expected: { paths: ["a/x.ts"] }
  },
  {
    name: "braces that stand for sixteen million globs",
    call: { tool: "find_files", glob: "{a,b}".repeat(24) },
    expected: { error: "braces" }
  },
  { name: "a name of 300 letters", call: write("x".repeat(300)), expected: { error: "is too long" } },
  { name: "a path of 3,000 directories", call: write(`${"d/".repeat(3000)}x`), expected: { error: "is too long" } },
  { name: "a file that is called like a flag", call: write("-rf"), expected: { holds: { path: "-rf", text: "x" } } },
  {
    name: "a file that is called like a flag, to be found",
    setup: [{ file: "--files" }, { file: "-rf" }],
    call: { tool: "find_files", glob: "-*" },
    expected: { paths: ["--files", "-rf"] }
  },
  {
    name: "the composed spelling beside the decomposed one",
    setup: [
      { file: "caf\u00E9", content: "A" },
      { file: "cafe\u0301", content: "B" }
    ],
    call: read("caf\u00E9"),
    expected: { text: "A" }
  },
  {
    name: "the decomposed spelling beside the composed one",
    setup: [
      { file: "caf\u00E9", content: "A" },
      { file: "cafe\u0301", content: "B" }
    ],
    call: read("cafe\u0301"),
    expected: { text: "B" }
  },
  { name: "git's hooks in capitals", call: write(".GIT/hooks/pre-commit"), expected: { refused: "Protected" } },
  {
    name: "git's configuration behind a zero-width joiner",
    call: write(".g\u200Cit/config"),
    expected: { refused: "Protected" }
  },
  {
    name: "git's configuration behind tag characters",
    call: write(".git\u{E0041}\u{E0042}/config"),
    expected: { refused: "Protected" }
  },
  { name: "git's configuration under its short name", call: write("GIT~1/config"), expected: { refused: "Protected" } },
  {
    name: "git's configuration through a link",
    setup: [{ file: ".git/config" }, { link: "docs", to: ".git" }],
    call: write("docs/config"),
    expected: { refused: "Protected" }
  },
  {
    name: "all of git out of the way",
    setup: [{ file: ".git/config" }],
    call: { tool: "move_path", from: ".git", to: "g2" },
    expected: { refused: "Protected" }
  },
  {
    name: "a directory in the place of git's",
    setup: [{ file: "evil/hooks/pre-commit" }],
    call: { tool: "move_path", from: "evil", to: ".git" },
    expected: { refused: "Protected" }
  },
  { name: "the agent's own settings", call: write(".bough/config.jsonc"), expected: { refused: "Protected" } },
  {
    name: "a private key",
    setup: [{ file: "deploy/id_rsa" }],
    call: read("deploy/id_rsa"),
    expected: { refused: "Protected" }
  },
  {
    name: "a key by its ending",
    setup: [{ file: "tls/server.PEM" }],
    call: read("tls/server.PEM"),
    expected: { refused: "Protected" }
  },
  {
    name: "cloud credentials",
    setup: [{ file: ".aws/credentials" }],
    call: read(".aws/credentials"),
    expected: { refused: "Protected" }
  },
  {
    name: "a key under a harmless name",
    setup: [{ file: "id_ed25519" }, { link: "notes.txt", to: "id_ed25519" }],
    call: read("notes.txt"),
    expected: { refused: "Protected" }
  },
  {
    name: "fullwidth dots",
    call: write("src/\uFF0E\uFF0E/\uFF0E\uFF0E/etc/x"),
    expected: { holds: { path: "src/\uFF0E\uFF0E/\uFF0E\uFF0E/etc/x", text: "x" } }
  },
  { name: "a file URL", call: read("file:///etc/passwd"), expected: { refused: "BadName" } },
  { name: "a NUL in a name", call: read("a.txt\0.png"), expected: { refused: "BadName" } },
  { name: "half a surrogate pair in a name", call: read("a\uD83D"), expected: { refused: "BadName" } },
  { name: "backslashes", call: read("..\\..\\etc\\passwd"), expected: { error: "there is no file or directory" } },
  { name: "a tilde", call: read("~/.ssh/id_rsa"), expected: { refused: "Protected" } },
  {
    name: "a line feed and an escape in a name",
    call: read("a\n\u001B[2Jb"),
    expected: { error: String.raw`"a\n\u001b[2Jb"` }
  },
  {
    name: "a file of secrets",
    setup: [{ file: ".env", content: "API_KEY=1" }],
    call: read(".env"),
    expected: { asked: "credentials" }
  },
  {
    name: "a file of secrets through a link",
    setup: [
      { file: ".env", content: "API_KEY=1" },
      { link: "readme.md", to: ".env" }
    ],
    call: read("readme.md"),
    expected: { asked: "credentials" }
  },
  {
    name: "a file of secrets to be copied to a harmless name",
    setup: [{ file: ".env", content: "API_KEY=1" }],
    call: { tool: "copy_path", from: ".env", to: "a.txt" },
    expected: { asked: "credentials" }
  },
  {
    name: "a write that would keep setuid",
    setup: [{ file: "a.txt", mode: 0o4755 }],
    call: write("a.txt"),
    expected: { holds: { path: "a.txt", text: "x", mode: "755" } }
  },
  {
    name: "editor settings that approve everything",
    call: write(".vscode/settings.json", '{"chat.tools.autoApprove":true}'),
    expected: { asked: "configuration" }
  },
  { name: "editor tasks in capitals", call: write(".VSCODE/tasks.json"), expected: { asked: "configuration" } },
  { name: "another editor's settings", call: write(".idea/workspace.xml"), expected: { asked: "configuration" } },
  {
    name: "editor settings by moving a directory there",
    setup: [{ file: "x/settings.json" }],
    call: { tool: "move_path", from: "x", to: ".vscode" },
    expected: { asked: "configuration" }
  },
  { name: "instructions for agents", call: write("AGENTS.md"), expected: { asked: "instructs agents" } },
  {
    name: "instructions for agents, moved away",
    setup: [{ file: "AGENTS.md" }],
    call: { tool: "move_path", from: "AGENTS.md", to: "notes.md" },
    expected: { asked: "instructs agents" }
  },
  { name: "instructions further down", call: write("docs/agents.md"), expected: { asked: "instructs agents" } },
  { name: "a skill", call: write("skills/x/SKILL.md"), expected: { asked: "instructs agents" } },
  { name: "servers that are started for agents", call: write(".mcp.json"), expected: { asked: "instructs agents" } },
  {
    name: "instructions through a link",
    setup: [{ file: "AGENTS.md" }, { link: "notes.md", to: "AGENTS.md" }],
    call: { tool: "edit_file", path: "notes.md", old: "x", new: "y" },
    expected: { asked: "instructs agents" }
  },
  {
    name: "a file that nobody has saved",
    setup: [{ file: "work/draft.md" }],
    call: { tool: "delete_path", path: "work" },
    expected: { asked: "work/draft.md" }
  }
]
