/** Translates the operator's configuration of commands into settings of the sandbox. */
import { Limits, type Settings as SandboxSettings } from "@bough/sandbox"
import * as Effect from "effect/Effect"
import { isAbsolute } from "node:path"
import { type HostFailure, invalid } from "../HostFailure.ts"
import type * as ConfigSchema from "./ConfigSchema.ts"

export type CommandSettings = Partial<Omit<SandboxSettings.Settings, "backend" | "hiddenPaths">>

/** Keeps only the configured values: the sandbox has defaults for the others. */
export const toSettings = (written: ConfigSchema.User["commands"]): Effect.Effect<CommandSettings, HostFailure> => {
  const { bubblewrap, environment, limits, maxOutputBytes, readOnlyPaths, unixSockets } = written ?? {}
  const relative = [...(readOnlyPaths ?? []), ...(bubblewrap === undefined ? [] : [bubblewrap])].find(
    (path) => !isAbsolute(path)
  )
  if (relative !== undefined) {
    return Effect.fail(invalid(`commands: ${JSON.stringify(relative)} is not an absolute path`, "begin it with /"))
  }
  const { memoryBytes, ...others } = limits ?? {}
  const configured = { ...others, ...(memoryBytes === undefined ? {} : { dataBytes: memoryBytes }) }
  return Effect.succeed({
    ...(environment === undefined ? {} : { environmentKeys: environment }),
    ...(readOnlyPaths === undefined ? {} : { readOnlyPaths }),
    ...(unixSockets === undefined ? {} : { unixSockets }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
    ...(bubblewrap === undefined ? {} : { program: bubblewrap }),
    ...(limits === undefined ? {} : { limits: { ...Limits.defaults, ...configured } })
  })
}
