/** `vault copy`: writes an entry to a new file of the workspace, which counts as secret for agents. */
import { SystemError } from "@bough/disk"
import * as SettingsFile from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import { realpathSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { failure } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"
import * as OpenVault from "../../vault/OpenVault.ts"

const parameters = {
  name: Shapes.nameArgument("NAME", "Name of the entry"),
  path: Shapes.argument("PATH", "Path of a new file")
}

const copy = Effect.fnUntraced(function* (
  program: Program,
  { cwd }: Common,
  { name, path }: CommandOptions<typeof parameters>
) {
  const { copies, vault } = yield* OpenVault.open(program)
  const value = yield* Effect.mapError(vault.get(name), OpenVault.toCliFailure)
  const root = yield* SettingsFile.workspaceRoot(program.environment, cwd)
  const writeFailure = (cause: unknown) =>
    failure(`cannot write ${path}: ${SystemError.reason(cause)}`, "choose another path", cause)
  const requestedPath = resolve(root, path)
  const target = yield* Effect.try({
    try: () => join(realpathSync(dirname(requestedPath)), basename(requestedPath)),
    catch: writeFailure
  })
  // The path counts as secret before the file is written.
  yield* Effect.mapError(copies.add({ name, path: target }), OpenVault.toCliFailure)
  yield* Effect.try({ try: () => writeFileSync(target, value, { flag: "wx", mode: 0o600 }), catch: writeFailure })
  program.output.note(`copied ${name} to ${path} (${value.length} bytes)`)
})

export const command = declare({ parameters, run: copy })
