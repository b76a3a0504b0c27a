/** Refusals of path safety. A reason begins with its name, which users and programs may rely on. */
import { type RefusalName, ToolError } from "@bough/protocol"

export type Name =
  /** The path leads out of the workspace. */
  | "PathEscape"
  /** A symbolic link leads out of the workspace. */
  | "SymlinkEscape"
  /** A link of the kernel, such as those below /proc, whose target depends on the reading process. */
  | "MagicLink"
  /** A file that another user owns and that has a second name. */
  | "HardLink"
  /** A device, a FIFO, a socket. */
  | "NotRegular"
  /** The path leads to another location than when its call was judged. */
  | "MovedPath"
  | "TooLarge"
  | "BadName"
  /** The path belongs to version control or agent state, or is a private key or a credential. */
  | "Protected"
  /** A rule hides the path from calls. */
  | "Withheld"
  /** The file is readable only after an approval. */
  | "SecretFile"
  /** Directory handles do not work on this platform, so nothing may be written. */
  | "ReadOnlyWorkspace"

export type Access = "read" | "write"

export const refuse = (name: Name, access: Access, detail: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({
    tier: access === "read" ? "ReadOnly" : "Workspace",
    reason: `${name satisfies RefusalName.RefusalName}: ${detail}`
  })

/** Formats a path for a message: control characters are escaped, long paths cut. */
export const quote = (path: string): string => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
