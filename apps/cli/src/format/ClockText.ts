/** Texts about a store's clock that differs from the system's. */
import type { StoreTime } from "@bough/store-sqlite"
import { type Check, pass, problem } from "../doctor/Check.ts"

const minuteMillis = 60_000

const span = (millis: number): string => {
  const minutes = Math.round(Math.abs(millis) / minuteMillis)
  const hours = Math.round(minutes / 60)
  if (hours >= 48) return `${Math.round(hours / 24)} days`
  return minutes >= 120 ? `${hours} hours` : `${minutes} minutes`
}

const date = (millis: number): string => `${new Date(millis).toISOString().slice(0, 16).replace("T", " ")} UTC`

/** Formats one line for the start of a program. */
export const clockAheadText = ({ storeMillis, wallMillis }: StoreTime.Deviation, name: string): string =>
  `the system clock says ${date(wallMillis)}, ${span(wallMillis - storeMillis)} ahead of the sessions' clock; pending approvals do not expire until "${name} doctor --accept-clock" confirms the time, or until the program has been used for a day`

export const acceptedText = ({ storeMillis }: StoreTime.Deviation): string =>
  `the sessions' clock is set to ${date(storeMillis)}`

export const check = ({ endsApprovals, storeMillis, wallMillis }: StoreTime.Deviation, name: string): Check => {
  const aheadMillis = wallMillis - storeMillis
  if (Math.abs(aheadMillis) < minuteMillis) return pass("clock", date(storeMillis))
  const difference = `the system clock says ${date(wallMillis)}, ${span(aheadMillis)} ${aheadMillis > 0 ? "ahead of" : "behind"} the sessions' clock`
  const detail = endsApprovals ? `${difference}; pending approvals do not expire until then` : difference
  return problem("clock", detail, `set the system clock, or "${name} doctor --accept-clock" if it is right`)
}
