/** Files attached to the message that the user is writing. Pure. */

export interface AttachedFile {
  readonly key: string
  readonly name: string
  readonly state:
    | { readonly _tag: "Uploading" }
    | { readonly _tag: "Stored"; readonly id: string }
    | { readonly _tag: "Failed"; readonly message: string }
}

/** The server's limits for one message and for a name. */
const maxFiles = 16
const maxNameLength = 200

/** Returns the number of the given files that can still be added to the message. */
export const room = (files: ReadonlyArray<AttachedFile>): number => Math.max(0, maxFiles - files.length)

/** Returns a name that the server accepts: without folders or control characters, shortened before its extension. */
export const fileName = (name: string): string => {
  const plain = name.replaceAll(/[\p{Cc}/\\]/gu, "_")
  if (plain === "" || plain === "." || plain === "..") return "file"
  if (plain.length <= maxNameLength) return plain
  const extension = /\.[^.]{1,20}$/u.exec(plain)?.[0] ?? ""
  return plain.slice(0, maxNameLength - extension.length) + extension
}

/** Returns true if the message can be sent, because every file is stored. */
export const isReady = (files: ReadonlyArray<AttachedFile>): boolean =>
  files.every(({ state }) => state._tag === "Stored")

export const idsOf = (files: ReadonlyArray<AttachedFile>): ReadonlyArray<string> =>
  files.flatMap(({ state }) => (state._tag === "Stored" ? [state.id] : []))
