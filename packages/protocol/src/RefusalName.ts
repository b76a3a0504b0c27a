/**
 * The names of refusals. A reason begins with the name of its refusal, for programs; texts for people and models omit
 * it.
 */
import { describe, type ToolErrorData } from "./ToolError.ts"

/** The names that the workspace and the network put before a reason. */
const names = [
  "PathEscape",
  "SymlinkEscape",
  "MagicLink",
  "HardLink",
  "NotRegular",
  "MovedPath",
  "TooLarge",
  "BadName",
  "Protected",
  "Withheld",
  "SecretFile",
  "ReadOnlyWorkspace",
  "Scheme",
  "UserInfo",
  "BadUrl",
  "PrivateAddress",
  "Port",
  "Header",
  "Method",
  "Host",
  "Redirect",
  "Downgrade",
  "NameNotFound",
  "ConnectionFailed",
  "CompressionBomb",
  "Encoding",
  "TooSlow",
  "TooManyRedirects",
  "Search"
] as const

export type RefusalName = (typeof names)[number]

const beginning = new RegExp(`^(${names.join("|")}): `, "u")

/** Returns the name at the beginning of a reason; null: it begins with none. */
export const nameIn = (reason: string): RefusalName | null =>
  (beginning.exec(reason)?.[1] ?? null) as RefusalName | null

/** Removes the name from the beginning of a reason. */
export const withoutName = (reason: string): string => reason.replace(beginning, "")

/**
 * Describes an error without the name of its refusal. A name that is a plain word, such as "Port", is removed from
 * denials alone, because the error of any tool may begin with it.
 */
export const describeWithoutName = (error: ToolErrorData): string => {
  const text = describe(error)
  const isWord = /^[A-Z][a-z]+$/u.test(nameIn(text) ?? "")
  return isWord && error._tag !== "PermissionDenied" ? text : withoutName(text)
}
