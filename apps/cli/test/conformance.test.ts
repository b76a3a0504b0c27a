/** Every pack of the program passes the conformance kit: over a real workspace if it uses one, else over fakes. */
import { ProcessRunnerNode } from "@bough/sandbox"
import { CodePack } from "@bough/pack-code"
import { DataPack } from "@bough/pack-data"
import { FilesPack } from "@bough/pack-files"
import { GitPack } from "@bough/pack-git"
import { MediaPack } from "@bough/pack-media"
import { MemoryPack } from "@bough/pack-memory"
import { SessionPack } from "@bough/pack-session"
import { VaultPack } from "@bough/pack-vault"
import { ShellPack } from "@bough/pack-shell"
import { WebPack } from "@bough/pack-web"
import { Capability, type Environment, type Tool, ToolContext, type ToolPack } from "@bough/tool"
import {
  type Check,
  describePack,
  packSpec,
  type PackSpecOptions,
  type Rule,
  type Runner,
  type World
} from "@bough/tool/testing"
import { ToolFormat } from "@bough/tool-formats"
import { Workspace } from "@bough/workspace"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Fakes from "./conformance/fakes.ts"

const add = it
/** Leaves checks to the thorough run. */
const inThoroughRun: Runner = { describe, it: (name, check) => add(name, thoroughOnly, check) }

const formats = Object.fromEntries(
  ToolFormat.formats.map((format) => [format, (tools: ReadonlyArray<Tool.Any>) => ToolFormat.print(format, tools)])
)

const variables = (): Environment.Environment["Service"] => {
  const set = new Map<string, string>()
  const read = (name: string) => {
    const value = set.get(name)
    return value === undefined ? null : { value, from: "session" as const }
  }
  return {
    get: (name) => Effect.sync(() => read(name)),
    set: (name, value) =>
      Effect.sync(() => {
        const previous = read(name)
        set.set(name, value)
        return previous
      })
  }
}

/** A real workspace with a file; a repository with one commit and one change if `git` is true. */
const workspace = (git: boolean) => async (): Promise<World> => {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "bough-conformance-")))
  const root = path.join(base, "root")
  const home = path.join(base, "home")
  for (const folder of [root, home]) fs.mkdirSync(folder)
  fs.writeFileSync(path.join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.invalid\n")
  fs.writeFileSync(path.join(root, "a.txt"), "one\n")
  fs.writeFileSync(path.join(root, "a.ts"), "export const one = 1\n")
  fs.mkdirSync(path.join(root, "folder"))
  if (git) {
    // Fixed dates give each world's commits the same names, so that the kit can compare the ends of two runs.
    const date = "2026-01-01T00:00:00Z"
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    for (const args of [
      ["init", "-q", "-b", "main"],
      ["add", "-A"],
      ["commit", "-q", "-m", "first"],
      ["branch", "other"]
    ]) {
      execFileSync("git", args, { cwd: root, env })
    }
  }
  const scope = Scope.makeUnsafe()
  const opened = await Effect.runPromise(
    Workspace.make({ root, variables: { HOME: home, PATH: process.env["PATH"] ?? "" } }).pipe(
      Effect.provide(ProcessRunnerNode.layer),
      Scope.provide(scope)
    )
  )
  const context = Workspace.provideWrites(Workspace.provideReads(ToolContext.empty("Main"), opened), opened)
  return {
    root,
    provisions: [
      ...[...context.capabilities.values()].flatMap((provided) =>
        provided.capability === undefined ? [] : [{ capability: provided.capability, provided }]
      ),
      Capability.provide(Capability.Environment, { service: variables() })
    ],
    dispose: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      fs.rmSync(base, { recursive: true })
    }
  }
}

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
  // They run git in the same way as those two. Over fakes, each of them passes the kit in every run.
  describePack(
    "GitPack, reading",
    reading.filter((check) => !isPlayedAlways(check)),
    inThoroughRun
  )
  // Their samples succeed, so that each of their calls can fail, and the process can be killed at each.
  describePack(
    "GitPack, branches",
    packSpec(GitPack.all, {
      provide: workspace(true),
      formats,
      samples: { git_branch: [{ name: "made" }], git_switch: [{ branch: "other" }] }
    }).filter(({ tool }) => tool === "git_branch" || tool === "git_switch"),
    { describe, it }
  )
}
overFakes("GitPack", GitPack.all)
const inThread = "it parses in a thread, in which the kit observes nothing"

/** A workspace with further capabilities. */
const beside = (more: () => World) => async (): Promise<World> => {
  const [world, added] = [await workspace(false)(), more()]
  return { ...world, ...added, provisions: [...(world.provisions ?? []), ...(added.provisions ?? [])] }
}

inWorld("MemoryPack", MemoryPack.all, {
  provide: Fakes.memory,
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
  provide: beside(Fakes.session),
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
  provide: beside(Fakes.execution),
  samples: {
    run_command: [{ command: "true" }],
    start_command: [{ command: "true" }],
    read_command_output: [{ commandId: "command_1" }],
    write_command_input: [{ commandId: "command_1", text: "y\n" }],
    stop_command: [{ commandId: "command_1" }]
  }
})

inWorld("WebPack", WebPack.all, {
  provide: Fakes.network,
  except: { web_fetch: { "the tier is honest": inThread } },
  samples: {
    web_fetch: [{ url: "https://example.test/" }],
    web_search: [{ query: "engines" }],
    http_get: [{ url: "https://example.test/" }],
    http_request: [{ method: "POST", url: "https://example.test/", body: "x" }]
  }
})

inWorld("VaultPack", VaultPack.all, {
  provide: beside(Fakes.vault),
  samples: { copy_from_vault: [{ name: "NPM_TOKEN", path: "made.txt" }] }
})

const named = { path: "a.txt", line: 1, name: "one" }
inWorld("CodePack", CodePack.all, {
  provide: beside(Fakes.languageServer),
  except: { find_symbols: { "the tier is honest": inThread } },
  samples: {
    find_symbols: [{ name: "one" }],
    outline_file: [{ path: "a.ts" }],
    lsp_diagnostics: [{ path: "a.txt" }],
    lsp_symbols: [{ path: "a.txt" }],
    lsp_hover: [named],
    lsp_definition: [named],
    lsp_references: [named],
    lsp_rename: [{ ...named, newName: "two" }]
  }
})

describePack(
  "MediaPack",
  packSpec(MediaPack.all, {
    provide: async () => {
      const world = await workspace(false)()
      return {
        ...world,
        provisions: [
          ...(world.provisions ?? []),
          Capability.provide(Capability.Attachments, {
            service: { list: Effect.succeed([Buffer.from("attached\n")]) }
          }),
          Capability.provide(Capability.Channel, {
            service: { send: () => Effect.succeed({ messageId: "msg_1", channel: "test" }) }
          })
        ]
      }
    },
    formats,
    samples: { save_attachment: [{ path: "made.txt" }], send_media: [{ path: "a.txt" }] }
  }),
  { describe, it }
)
