/** Turns a request into an argument vector and a working directory inside the roots. */
import { ToolError } from "@bough/protocol"
import type { Execution } from "@bough/tool"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { contains } from "../Toolchains.ts"

const invalid = (field: string, message: string) =>
  Effect.fail(new ToolError.ValidationError({ field, message, issues: [{ path: field, message }] }))

const shells = ["/bin/bash", "/usr/bin/bash"]

/** Returns bash, for which models write commands, if the machine has it at a path that a sandbox shows. */
export const shell: Effect.Effect<string> = Effect.sync(() => shells.find((path) => existsSync(path)) ?? "/bin/sh")

export const argv = (
  invoke: Execution.Invoke | string,
  shell: string
): Effect.Effect<ReadonlyArray<string>, ToolError.ValidationError> => {
  const command = typeof invoke === "string" ? { command: invoke } : invoke
  const vector = "argv" in command ? command.argv : [shell, "-c", "--", command.command]
  const field = "argv" in command ? "argv" : "command"
  if (vector.length === 0 || vector[0] === "") return invalid(field, "there is no program to run")
  if (vector.some((argument) => argument.includes("\0"))) return invalid(field, "a NUL character cannot be passed on")
  return Effect.succeed(vector)
}

/**
 * Returns the absolute working directory inside the root, as the request names it. Links are checked when the directory
 * is entered.
 */
export const directory = (
  { roots, start }: { readonly start: string; readonly roots: ReadonlyArray<string> },
  cwd: string | undefined
): Effect.Effect<string, ToolError.ValidationError> => {
  if (cwd?.includes("\0")) return invalid("cwd", "a NUL character cannot be passed on")
  const path = resolve(start, cwd ?? ".")
  if (!roots.some((root) => contains(root, path))) return invalid("cwd", `${cwd} is outside the workspace`)
  return Effect.succeed(path)
}

export const noDirectory = (cwd: string | undefined) =>
  invalid("cwd", `${cwd ?? "."} is not a directory of the workspace`)

export const tooLongError = (invoke: Execution.Invoke | string) =>
  invalid(typeof invoke === "object" && "argv" in invoke ? "argv" : "command", "longer than the system can pass on")
