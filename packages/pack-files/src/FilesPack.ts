/** The file tools. A Worker may have `readOnly`. */
import { ToolPack } from "@bough/tool"
import { CopyPath } from "./CopyPath.ts"
import { CreateDirectory } from "./CreateDirectory.ts"
import { DeletePath } from "./DeletePath.ts"
import { EditFile } from "./EditFile.ts"
import { FileInfo } from "./FileInfo.ts"
import { FindFiles } from "./FindFiles.ts"
import { ListFiles } from "./ListFiles.ts"
import { MovePath } from "./MovePath.ts"
import { ReadFile } from "./ReadFile.ts"
import { SearchFiles } from "./SearchFiles.ts"
import { WriteFile } from "./WriteFile.ts"

/** The tools that a Worker may have. */
export const readOnly = ToolPack.named("files", ToolPack.make(ReadFile, ListFiles, FindFiles, SearchFiles, FileInfo))

/** All tools, for a Main or a Branch, including those that write. */
export const all = ToolPack.named(
  "files",
  ToolPack.merge(readOnly, ToolPack.make(WriteFile, EditFile, CreateDirectory, MovePath, CopyPath, DeletePath))
)
