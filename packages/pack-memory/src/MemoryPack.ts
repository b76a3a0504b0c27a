/**
 * The memory tools. A Worker may have `readOnly`; `reflection` is for the agent that saves notes about a conversation.
 */
import { ToolPack } from "@bough/tool"
import { AppendMemoryFile } from "./AppendMemoryFile.ts"
import { ClearScratchpad } from "./ClearScratchpad.ts"
import { DeleteMemory } from "./DeleteMemory.ts"
import { ListMemoryFiles } from "./ListMemoryFiles.ts"
import { ListTasks } from "./ListTasks.ts"
import { PatchMemoryFile } from "./PatchMemoryFile.ts"
import { ReadMemoryFile } from "./ReadMemoryFile.ts"
import { ReadScratchpad } from "./ReadScratchpad.ts"
import { ReadSessionArchive } from "./ReadSessionArchive.ts"
import { ReplayTask } from "./ReplayTask.ts"
import { SaveMemory } from "./SaveMemory.ts"
import { SearchMemory } from "./SearchMemory.ts"
import { UpdateMemory } from "./UpdateMemory.ts"
import { WriteMemoryFile } from "./WriteMemoryFile.ts"
import { WriteScratchpad } from "./WriteScratchpad.ts"

/** The tools that a Worker may have: they search, and store nothing. */
export const readOnly = ToolPack.named("memory", ToolPack.make(SearchMemory, ListMemoryFiles, ReadMemoryFile))

/**
 * The tools of a reflection: only for notes, because file changes could not be discarded with the reflection. They save
 * and correct notes, but delete none.
 */
export const reflection = ToolPack.named("memory", ToolPack.make(SearchMemory, SaveMemory, UpdateMemory))

/** All tools, for a Main or a Branch. */
export const all = ToolPack.named(
  "memory",
  ToolPack.merge(
    readOnly,
    ToolPack.make(SaveMemory, UpdateMemory, DeleteMemory, WriteMemoryFile, PatchMemoryFile, AppendMemoryFile),
    ToolPack.make(ReadScratchpad, WriteScratchpad, ClearScratchpad, ListTasks, ReplayTask, ReadSessionArchive)
  )
)
