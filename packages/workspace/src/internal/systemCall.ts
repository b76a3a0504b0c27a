/** Calls of the operating system as Effects, and their failures as a tool may report them. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { quote } from "../Refusal.ts"

/** A failed call, by its code, such as `ENOENT`. */
export class SystemError extends Schema.TaggedError<SystemError>()("SystemError", {
  code: Schema.String,
  message: Schema.String
}) {}

/** A call that returns at once: names, descriptors, and what the page cache holds. */
export const call = <A>(run: () => A): Effect.Effect<A, SystemError> => Effect.try({ try: run, catch: toSystemError })

/** A call with a callback, for what may wait on a disk. It runs to its end even when interrupted: nothing leaks. */
export const wait = <A>(run: (done: (error: Error | null, value: A) => void) => void): Effect.Effect<A, SystemError> =>
  Effect.uninterruptible(
    Effect.callback<A, SystemError>((resume) => {
      run((error, value) => resume(error === null ? Effect.succeed(value) : Effect.fail(toSystemError(error))))
    })
  )

const toSystemError = (cause: unknown): SystemError => {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown }
  return new SystemError({ code: typeof code === "string" ? code : "EUNKNOWN", message: String(message) })
}

const sentences: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  ENOTDIR: "a part of the path is not a directory",
  EISDIR: "it is a directory",
  EEXIST: "something is there already",
  ENOTEMPTY: "the directory is not empty",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "too many links, or links in a circle",
  EACCES: "the operating system does not permit it",
  EPERM: "the operating system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EXDEV: "the two paths are on different file systems",
  EMFILE: "too many open files",
  EBUSY: "it is in use",
  EINVAL: "the operating system does not take this name"
}

/** `ENOENT: "src/a.ts": no such file or directory`. */
export const report = (path: string, hint?: string) => (error: SystemError) =>
  new ToolError.ExecutionError({
    message: `${error.code}: ${quote(path)}: ${sentences[error.code] ?? error.message}`,
    ...(hint === undefined ? {} : { hint })
  })

/** A failure by one of our own checks, in the same form. */
export const failWith = (code: string, path: string, hint?: string): ToolError.ExecutionError =>
  report(path, hint)(new SystemError({ code, message: code }))
