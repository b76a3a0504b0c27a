/** Errors of the operating system, with their code and a clause for users and models. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * - `code`: such as `ENOENT`; "" if the cause is not a failed system call
 * - `path`: the path in the call; null: the call had none
 * - `message`: a clause without the code, such as `there is no file or directory /a/b`
 */
export class SystemError extends Schema.TaggedError<SystemError>()("SystemError", {
  code: Schema.String,
  path: Schema.NullOr(Schema.String),
  message: Schema.String
}) {}

/** The message without a name, and the message with one. */
type Words = readonly [alone: string, named: (name: string) => string]

const notPermitted: Words = ["permission denied", (name) => `permission denied: ${name}`]
const tooManyOpen: Words = ["too many files are open", (name) => `too many files are open to open ${name}`]

const wordsByCode: Readonly<Record<string, Words>> = {
  ENOENT: ["there is no such file or directory", (name) => `there is no file or directory ${name}`],
  ENOTDIR: [
    "a part of the path is not a directory",
    (name) => `${name} is not a directory, or a part of its path is not`
  ],
  EISDIR: ["it is a directory, not a file", (name) => `${name} is a directory, not a file`],
  EEXIST: ["an entry with this name already exists", (name) => `there is something at ${name} already`],
  ENOTEMPTY: ["the directory is not empty", (name) => `the directory ${name} is not empty`],
  ENAMETOOLONG: ["the name is too long", (name) => `the name ${name} is too long`],
  ELOOP: [
    "there are too many links, or links in a circle",
    (name) => `too many links, or links in a circle, at ${name}`
  ],
  EACCES: notPermitted,
  EPERM: notPermitted,
  EROFS: ["the file system is read-only", (name) => `the file system of ${name} is read-only`],
  ENOSPC: ["no space is left on the disk", (name) => `no space is left on the disk of ${name}`],
  EDQUOT: ["the disk quota is used up", (name) => `the disk quota is used up at ${name}`],
  EFBIG: ["the file would be too large", (name) => `${name} would be too large`],
  EXDEV: ["the two paths are on different file systems", (name) => `${name} is on another file system`],
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
  EBUSY: ["it is in use", (name) => `${name} is in use`],
  ETXTBSY: ["it is a running program", (name) => `${name} is a running program`],
  EINVAL: ["the operating system rejects it", (name) => `the operating system rejects ${name}`],
  EIO: ["the disk failed", (name) => `the disk failed at ${name}`]
}

/**
 * Returns the message for an error code; null: the code is unknown. `name` is the subject of the sentence; null:
 * unknown.
 */
export const words = (code: string, name: string | null): string | null => {
  const known = wordsByCode[code]
  return known === undefined ? null : name === null ? known[0] : known[1](name)
}

/**
 * Returns the message without code and call: `no such file or directory` for `ENOENT: no such file or directory, open
 * '/a/b'`.
 */
const withoutCode = (message: string): string => /^[A-Z][A-Z0-9]+: (.+?), \w+(?: '.*)?$/su.exec(message)?.[1] ?? message

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** Converts any thrown value. */
export const toSystemError = (cause: unknown): SystemError => {
  const { code, message, path, syscall }: { code?: unknown; message?: unknown; path?: unknown; syscall?: unknown } =
    cause instanceof Error ? cause : { message: cause }
  const fields = { code: textOf(code) ?? "", path: textOf(path) }
  // `mkdir` never fails for a missing parent here, because parents are created too. The error has another cause.
  const refused =
    syscall === "mkdir" && fields.code === "ENOENT" ? `no directory can be created at ${fields.path}` : null
  const sentence = refused ?? words(fields.code, fields.path) ?? withoutCode(String(message))
  return new SystemError({ ...fields, message: sentence, ...(cause instanceof Error ? { cause } : {}) })
}

/** Returns the code of a failed system call, such as `ENOENT`; "": the cause is something else. */
export const codeOf = (cause: unknown): string => toSystemError(cause).code

/** Returns the clause alone. */
export const reason = (cause: unknown): string => toSystemError(cause).message

/** Work that may throw the system's error. */
export const attempt = <A>(work: () => A): Effect.Effect<A, SystemError> =>
  Effect.try({ try: work, catch: toSystemError })
