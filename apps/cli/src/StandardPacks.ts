/** The packs of `bough` itself: the only place where they are named. */
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
import { ToolPack } from "@bough/tool"

/** The tools of the conversation and of its Branches. */
export const all = ToolPack.merge(
  FilesPack.all,
  ShellPack.all,
  GitPack.all,
  CodePack.all,
  DataPack.all,
  WebPack.all,
  MemoryPack.all,
  SessionPack.all,
  VaultPack.all,
  MediaPack.all
)

/** The tools of a Worker. */
export const readOnly = ToolPack.merge(
  FilesPack.readOnly,
  GitPack.readOnly,
  CodePack.readOnly,
  DataPack.readOnly,
  WebPack.readOnly,
  MemoryPack.readOnly
)

/** The tools of a reflection on a conversation. */
export const reflection = MemoryPack.reflection

/** The tools that are declared to the model from the start; the others are declared on request. */
export const core: ReadonlySet<string> = new Set([
  "read_file",
  "write_file",
  "edit_file",
  "list_files",
  "find_files",
  "search_files",
  "run_command",
  "update_plan",
  "spawn_worker",
  "spawn_branch",
  "web_fetch",
  "web_search"
])
