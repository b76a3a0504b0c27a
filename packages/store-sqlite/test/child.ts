/** The programs beside these tests, as processes of their own. */
import { ChildProcess } from "@bough/testing"
import * as Effect from "effect/Effect"
import { bundled } from "../../../test/bundle.ts"

/** The path of a program, by its name without an extension. */
export const pathOf = (program: string): Promise<string> => bundled(new URL(`programs/${program}.ts`, import.meta.url))

/** `wrapper`: a command that runs it. */
export const start = (program: string, args: ReadonlyArray<string>, wrapper: ReadonlyArray<string> = []) =>
  Effect.flatMap(
    Effect.promise(() => pathOf(program)),
    (path) => ChildProcess.start(path, args, wrapper)
  )

export const { lines } = ChildProcess
export type Child = ChildProcess.Child
