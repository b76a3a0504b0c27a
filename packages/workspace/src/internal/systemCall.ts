/** Calls of the operating system as Effects, and their failures in the form in which tools report them. */
import { SystemError } from "@bough/disk"
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { quote } from "../Refusal.ts"

/** A call that returns immediately: it concerns names, descriptors, or data in the page cache. */
export const call = SystemError.attempt

/**
 * A call with a callback that may wait for a disk. It runs to its end even if interrupted, so that no descriptor leaks.
 */
export const wait = <A>(
  run: (done: (error: Error | null, value: A) => void) => void
): Effect.Effect<A, SystemError.SystemError> =>
  Effect.uninterruptible(
    Effect.callback<A, SystemError.SystemError>((resume) => {
      run((error, value) =>
        resume(error === null ? Effect.succeed(value) : Effect.fail(SystemError.toSystemError(error)))
      )
    })
  )

/** The next steps for the model, or for its user, after an error. */
const hints: Readonly<Record<string, string>> = {
  ENOENT: "list_files shows what is in a directory, find_files where a name is",
  ENOTDIR: "name a directory",
  EISDIR: "name a file; list_files shows what is in it",
  EEXIST: "choose another name, or move or delete the existing entry",
  ENOTEMPTY: "delete what is in it first",
  ENAMETOOLONG: "choose a shorter one",
  EACCES: "a person has to change its owner or its mode",
  EPERM: "a person has to change its owner or its mode",
  ENOSPC: "the user must free disk space",
  EDQUOT: "the user must free disk space",
  EBUSY: "try again"
}

/** Converts the failure for tools: it names the path as the tool wrote it, and the next step. */
const failure = (
  code: string,
  path: string,
  said: { readonly otherwise: string; readonly hint: string | undefined }
) => {
  const hint = said.hint ?? hints[code]
  return new ToolError.ExecutionError({
    message: SystemError.words(code, quote(path)) ?? `${quote(path)}: ${said.otherwise}`,
    ...(hint === undefined ? {} : { hint })
  })
}

/** Formats `there is no file or folder "src/a.ts"`. */
export const report =
  (path: string, hint?: string) =>
  ({ code, message }: SystemError.SystemError): ToolError.ExecutionError =>
    failure(code, path, { otherwise: message, hint })

/** Fails in a check of this program, with an error in the same form. */
export const failWith = (code: string, path: string, hint?: string): ToolError.ExecutionError =>
  failure(code, path, { otherwise: code, hint })
