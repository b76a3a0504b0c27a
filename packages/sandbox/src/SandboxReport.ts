/** The test results of a backend: `bough doctor` prints them, and a refused command names them. */
import * as Schema from "effect/Schema"

/**
 * `session`: as `bubblewrap`, but the commands of a session share one sandbox with a long-lived shell. `seatbelt`: on
 * macOS.
 */
export const Backend = Schema.Literals(["bubblewrap", "session", "seatbelt", "host", "disabled"])
export type Backend = typeof Backend.Type

/** One tested property; `detail` is the observation. */
export const Check = Schema.Struct({ name: Schema.String, ok: Schema.Boolean, detail: Schema.String })
export type Check = typeof Check.Type

/** `missing` names the failed checks; `hint` is the fix. */
export const SandboxReport = Schema.Struct({
  available: Schema.Boolean,
  backend: Backend,
  checks: Schema.Array(Check),
  missing: Schema.Array(Schema.String),
  hint: Schema.NullOr(Schema.String)
})
export type SandboxReport = typeof SandboxReport.Type

/** Makes the report of the checks. */
export const fromChecks = (backend: Backend, checks: ReadonlyArray<Check>, hint: string): SandboxReport => {
  const missing = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  return { available: missing.length === 0, backend, checks, missing, hint: missing.length === 0 ? null : hint }
}

/** Returns the reason why commands are refused. */
export const refusal = ({ checks, hint, missing }: SandboxReport): string => {
  const details = checks.filter(({ ok }) => !ok).map(({ detail, name }) => `${name} (${detail})`)
  const named = details.length > 0 ? details : missing
  return `SandboxUnavailable: missing ${named.join(", ")}${hint === null ? "" : `; ${hint}`}`
}
