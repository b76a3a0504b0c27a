/** The folder of Markdown files that `memory export` writes and `memory import` reads. */
import { SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { failure, type CliFailure } from "../CliFailure.ts"
import type { Program } from "../Program.ts"

export const inFolder = <A>(
  folder: string,
  body: (path: string) => A,
  hint = "choose another folder"
): Effect.Effect<A, CliFailure> =>
  Effect.try({
    try: () => body(resolve(folder)),
    catch: (cause) => failure(`cannot use ${folder}: ${SystemError.reason(cause)}`, hint, cause)
  })

/** Resolves a relative folder; `pnpm` starts programs in another directory. */
export const pathOf = ({ environment }: Program, folder: string): string =>
  resolve(environment.variables["INIT_CWD"] ?? environment.currentDirectory, folder)
