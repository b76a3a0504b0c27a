/** The tools of each kind of session; no other module names packs. */
import { DataPack } from "@bough/pack-data"
import { FilesPack } from "@bough/pack-files"
import { MediaPack } from "@bough/pack-media"
import { MemoryPack } from "@bough/pack-memory"
import { SessionPack } from "@bough/pack-session"
import { ShellPack } from "@bough/pack-shell"
import { VaultPack } from "@bough/pack-vault"
import { WebPack } from "@bough/pack-web"
import { SessionKind, ToolPack } from "@bough/tool"

export const main = SessionKind.Main.tools(
  ToolPack.merge(
    FilesPack.all,
    ShellPack.all,
    DataPack.all,
    WebPack.all,
    MemoryPack.all,
    SessionPack.all,
    VaultPack.all,
    MediaPack.all
  )
)
export const worker = SessionKind.Worker.tools(
  ToolPack.merge(FilesPack.readOnly, DataPack.readOnly, WebPack.readOnly, MemoryPack.readOnly)
)

/** The tools of a reflection on a conversation. */
export const reflection = SessionKind.Reflection.tools(MemoryPack.reflection)

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
