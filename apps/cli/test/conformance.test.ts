/** Checks every pack of the program with the conformance kit, in a real workspace for packs that use one. */
import { CodePack } from "@bough/pack-code"
import { DataPack } from "@bough/pack-data"
import { FilesPack } from "@bough/pack-files"
import { GitPack } from "@bough/pack-git"
import { MediaPack } from "@bough/pack-media"
import { MemoryPack } from "@bough/pack-memory"
import { SessionPack } from "@bough/pack-session"
import { ShellPack } from "@bough/pack-shell"
import { VaultPack } from "@bough/pack-vault"
import { WebPack } from "@bough/pack-web"
import { Session } from "@bough/protocol"
import { workspaceWorld } from "@bough/sdk/testing"
import type { Tool, ToolPack } from "@bough/tool"
import { ToolFormat } from "@bough/tool-formats"
import {
  type Check,
  describePack,
  packSpec,
  type PackSpecOptions,
  type Rule,
  type Runner,
  type TestWorld,
  Worlds
} from "@bough/tool/testing"
import { describe, it } from "@effect/vitest"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"

const add = it
/** Leaves checks to the thorough run. */
const inThoroughRun: Runner = { describe, it: (name, check) => add(name, thoroughOnly, check) }

const formats = Object.fromEntries(
  ToolFormat.formats.map((format) => [format, (tools: ReadonlyArray<Tool.Any>) => ToolFormat.print(format, tools)])
)

/** A real workspace with a file; a repository with one commit and another branch if `git` is true. */
const workspace = (git: boolean) => (): Promise<TestWorld> =>
  workspaceWorld({
    files: { "a.txt": "one\n", "a.ts": "export const one = 1\n", "folder/": "" },
    branches: git ? ["main", "other"] : [],
    environment: process.env
  }).then((world) => Worlds.join(world, Worlds.environment()))

describePack(
  "DataPack",
  packSpec(DataPack.all, {
    provide: workspace(false),
    formats,
    samples: {
      parse_json: [{ text: '{"a":1}', pointer: "/a" }],
      format_json: [{ text: '{"a":1}' }],
      encode_base64: [{ text: "a" }],
      decode_base64: [{ base64: "YQ==" }],
      get_env: [{ name: "GREETING" }],
      set_env: [{ name: "GREETING", value: "hello" }],
      sleep: [{ millis: 1 }],
      update_plan: [{ items: [{ text: "begin", status: "active" }] }]
    }
  }),
  { describe, it }
)

describePack(
  "FilesPack",
  packSpec(FilesPack.all, {
    provide: workspace(false),
    formats,
    samples: {
      copy_path: [{ from: "a.txt", to: "b.txt" }],
      create_directory: [{ path: "made" }],
      delete_path: [{ path: "a.txt" }],
      edit_file: [{ path: "a.txt", edits: [{ old: "one", new: "two" }] }],
      file_info: [{ path: "a.txt" }],
      find_files: [{ glob: "*.txt" }],
      list_files: [{ path: "." }],
      move_path: [{ from: "a.txt", to: "b.txt" }],
      read_file: [{ path: "a.txt" }],
      search_files: [{ pattern: "one" }],
      write_file: [{ path: "b.txt", content: "b\n" }]
    }
  }),
  { describe, it }
)

/** The rules that can be checked without a successful call. */
const withoutSuccess: ReadonlySet<Rule> = new Set([
  "schemas survive JSON and every format",
  "wrong arguments are refused by field",
  "failures are one of the four errors",
  "interruption and timeout free everything"
])

const overFakes = (name: string, pack: ToolPack.Any, { except = {}, samples = {} }: PackSpecOptions = {}) =>
  describePack(
    name,
    packSpec(pack, { formats, samples, except }).filter(({ rule }) => withoutSuccess.has(rule)),
    { describe, it }
  )

/** Checks a pack in a world in which its samples succeed; most of the rules that need it are left to the thorough run. */
const inWorld = (name: string, pack: ToolPack.Any, options: PackSpecOptions) => {
  const checks = packSpec(pack, { formats, ...options })
  const isCheap = ({ rule }: Check): boolean => withoutSuccess.has(rule)
  describePack(name, checks.filter(isCheap), { describe, it })
  describePack(
    name,
    checks.filter((check) => !isCheap(check)),
    inThoroughRun
  )
}

const git = requires("git")
if (!git.skip) {
  const reading = packSpec(GitPack.readOnly, {
    provide: workspace(true),
    formats,
    samples: { git_blame: [{ path: "a.txt", fromLine: 1, toLine: 1 }], git_show: [{ commit: "HEAD" }] }
  })
  const isPlayedAlways = ({ tool }: Check): boolean => tool === "git_show" || tool === "git_status"
  describePack("GitPack, reading", reading.filter(isPlayedAlways), { describe, it })
  // The other checks run git in the same way as these two. Over fakes, each check passes the kit in every run.
  describePack(
    "GitPack, reading",
    reading.filter((check) => !isPlayedAlways(check)),
    inThoroughRun
  )
  // The samples succeed, so that each call of a capability can fail, and the process can be killed at each.
  const branches = packSpec(GitPack.all, {
    provide: workspace(true),
    formats,
    samples: { git_branch: [{ name: "made" }], git_switch: [{ branch: "other" }] }
  })
  // Both run git in the same way.
  for (const [name, runner] of [
    ["git_switch", { describe, it }],
    ["git_branch", inThoroughRun]
  ] as const) {
    describePack(
      "GitPack, branches",
      branches.filter(({ tool }) => tool === name),
      runner
    )
  }
}
overFakes("GitPack", GitPack.all)
const inThread = "it parses in a thread, in which the kit observes nothing"

/** A workspace with further capabilities. */
const workspaceWith =
  (...more: ReadonlyArray<() => TestWorld>) =>
  (): Promise<TestWorld> =>
    workspace(false)().then((world) => Worlds.join(world, ...more.map((make) => make())))

const past: Session.Summary = {
  sessionId: Session.SessionId.make("ses_1"),
  treeId: Session.SessionId.make("ses_1"),
  kind: "Main",
  state: "Completed",
  title: "look",
  user: "ada",
  agent: "main",
  workspaceRoot: "/work",
  entries: 1,
  createdAtMillis: 0,
  updatedAtMillis: 0
}
const page = "<title>Engines</title><h1>Engines</h1><p>They count.</p>"

inWorld("MemoryPack", MemoryPack.all, {
  provide: () => Worlds.memory({ notes: ["Tea is preferred"], files: { "notes.md": "# Notes\n" }, sessions: [past] }),
  samples: {
    search_memory: [{ query: "tea" }, { query: "tea", includeConversation: true, history: true }],
    read_memory_file: [{ path: "notes.md" }],
    save_memory: [{ content: "Coffee is for guests" }],
    update_memory: [{ noteId: "note-1", content: "Green tea is preferred" }],
    delete_memory: [{ noteId: "note-1" }],
    write_memory_file: [{ path: "made.md", content: "made\n" }],
    patch_memory_file: [{ path: "notes.md", oldText: "Notes", newText: "Remarks" }],
    append_memory_file: [{ path: "notes.md", entry: "more" }],
    write_scratchpad: [{ items: ["begin"] }],
    replay_task: [{ taskId: "ses_1" }],
    read_session_archive: [{ sessionId: "ses_1" }]
  }
})

inWorld("SessionPack", SessionPack.all, {
  provide: workspaceWith(Worlds.session),
  samples: {
    spawn_branch: [{ task: "look" }],
    spawn_worker: [{ task: "look" }],
    delegate: [{ agent: "reader", task: "look" }],
    steer_session: [{ session: "ses_1", text: "faster" }],
    cancel_session: [{ session: "ses_1" }],
    send_message: [{ text: "done" }],
    run_chain: [{ links: [{ name: "a", tool: "list_files", arguments: {} }] }]
  }
})

inWorld("ShellPack", ShellPack.all, {
  provide: workspaceWith(Worlds.commands),
  samples: {
    run_command: [{ command: "true" }],
    start_command: [{ command: "true" }],
    read_command_output: [{ commandId: "command_1" }],
    write_command_input: [{ commandId: "command_1", text: "y\n" }],
    stop_command: [{ commandId: "command_1" }]
  }
})

inWorld("WebPack", WebPack.all, {
  provide: () => Worlds.network({ "https://example.test/": page }),
  except: { web_fetch: { "the tier is honest": inThread } },
  samples: {
    web_fetch: [{ url: "https://example.test/" }],
    web_search: [{ query: "engines" }],
    http_get: [{ url: "https://example.test/" }],
    http_request: [{ method: "POST", url: "https://example.test/", body: "x" }]
  }
})

inWorld("VaultPack", VaultPack.all, {
  provide: workspaceWith(() => Worlds.vault({ NPM_TOKEN: "npm_4f7c1b2a9d" })),
  samples: { copy_from_vault: [{ name: "NPM_TOKEN", path: "made.txt" }] }
})

const symbolArguments = { path: "a.txt", line: 1, name: "one" }
inWorld("CodePack", CodePack.all, {
  provide: workspaceWith(Worlds.languageServer),
  except: { find_symbols: { "the tier is honest": inThread } },
  samples: {
    find_symbols: [{ name: "one" }],
    outline_file: [{ path: "a.ts" }],
    lsp_diagnostics: [{ path: "a.txt" }],
    lsp_symbols: [{ path: "a.txt" }],
    lsp_hover: [symbolArguments],
    lsp_definition: [symbolArguments],
    lsp_references: [symbolArguments],
    lsp_rename: [{ ...symbolArguments, newName: "two" }]
  }
})

describePack(
  "MediaPack",
  packSpec(MediaPack.all, {
    provide: workspaceWith(() => Worlds.attachments("attached\n"), Worlds.session),
    formats,
    samples: { save_attachment: [{ path: "made.txt" }], send_media: [{ path: "a.txt" }] }
  }),
  { describe, it }
)
