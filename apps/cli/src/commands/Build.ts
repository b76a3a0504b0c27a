/**
 * `build`: builds a program from the packs in a file. The `@bough/cli` that is installed beside the file does it,
 * because the packs are made with that copy.
 */
import * as SettingsFile from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { CliFailure, failure } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as Shapes from "../command-line/flags/Shapes.ts"
import { resolveOwn } from "../own/resolveOwn.ts"
import type { Program } from "../Program.ts"

const parameters = {
  file: Shapes.optionalArgument("FILE", "File of packs; default: bough.packs.ts"),
  out: Shapes.optionalText("out", "DIR", "Directory of the program; default: dist/NAME"),
  external: Shapes.repeatedText(
    "external",
    "PACKAGE",
    "Do not bundle PACKAGE; install it beside the program; repeatable"
  )
}

const build = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  { external, file, out }: CommandOptions<typeof parameters>
) {
  const root = yield* SettingsFile.workspaceRoot(program.environment, cwd)
  const packs = resolve(root, file ?? "bough.packs.ts")
  const builder = resolveOwn(packs, "build")
  if (builder._tag === "Fault") return yield* failure(builder.message, builder.hint, builder.cause)
  const built = yield* Effect.tryPromise({
    try: async () => {
      const { buildPacks } = (await import(pathToFileURL(builder.path).href)) as typeof import("../own/buildPacks.ts")
      return buildPacks(packs, { external, out: out === null ? null : resolve(root, out), print: program.output.note })
    },
    catch: toFailure
  })
  program.output.note(`${built.program}: ${built.tools} tools of ${built.packs.join(", ")}`)
})

/** The builder may be another copy of this package, whose failures are instances of another class. */
const toFailure = (cause: unknown): CliFailure => {
  if (cause instanceof CliFailure) return cause
  const { hint, message } = (cause ?? {}) as Partial<CliFailure>
  return failure(typeof message === "string" ? message : String(cause), hint ?? "", cause)
}

export const command = declare({ parameters, run: build })
