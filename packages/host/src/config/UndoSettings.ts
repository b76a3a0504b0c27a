/** The settings of undo, in the units of the snapshots. Pure. */
import type { WorkspaceSnapshots } from "@bough/snapshots"
import type * as ConfigSchema from "./ConfigSchema.ts"

/** The limits of what can be restored, and for how long. */
export interface UndoSettings {
  readonly enabled: boolean
  readonly limits: Partial<WorkspaceSnapshots.Limits>
  readonly bounds: Partial<WorkspaceSnapshots.Bounds>
}

const mebibyte = 1024 ** 2
const dayMillis = 24 * 60 * 60 * 1000

/** `BOUGH_UNDO=off` turns it off for one process, such as on a build machine. */
export const toUndoSettings = (
  configured: NonNullable<ConfigSchema.User["undo"]>,
  variables: Readonly<Record<string, string | undefined>>
): UndoSettings => ({
  enabled: variables["BOUGH_UNDO"] !== "off" && (configured.enabled ?? true),
  limits: configured.maxFileMebibytes === undefined ? {} : { maxFileBytes: configured.maxFileMebibytes * mebibyte },
  bounds: {
    ...(configured.maxStoreMebibytes === undefined ? {} : { maxStoreBytes: configured.maxStoreMebibytes * mebibyte }),
    ...(configured.maxAgeDays === undefined ? {} : { maxAgeMillis: configured.maxAgeDays * dayMillis })
  }
})
