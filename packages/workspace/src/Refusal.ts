/** Refusals of path safety. A reason begins with its name, which people and programs may rely on. */
import { ToolError } from "@bough/protocol"

export type Name =
  /** The path leads out of the workspace. */
  | "PathEscape"
  /** A symbolic link leads out of the workspace. */
  | "SymlinkEscape"
  /** A link of the kernel's own, such as those below /proc, which leads wherever a process looks. */
  | "MagicLink"
  /** Another owner's file under a second name. */
  | "HardLink"
  /** A device, a FIFO, a socket. */
  | "NotRegular"
  /** The path leads elsewhere than when its call was judged. */
  | "MovedPath"
  | "TooLarge"
  | "BadName"
  /** Version control and agent state, private keys, credentials. */
  | "Protected"
  /** A rule keeps the place from what calls find. */
  | "Withheld"
  /** Readable once a human has said yes. */
  | "SecretFile"
  /** Directory handles do not work here, so nothing may be written. */
  | "ReadOnlyWorkspace"

export type Access = "read" | "write"

export const refuse = (name: Name, access: Access, detail: string): ToolError.PermissionDenied =>
  new ToolError.PermissionDenied({
    tier: access === "read" ? "ReadOnly" : "Workspace",
    reason: `${name}: ${detail}`
  })

/** A path as it may stand in a message: control characters are escaped, long ones cut. */
export const quote = (path: string): string => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
