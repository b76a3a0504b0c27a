/** The limits of a tenant as the text of input fields: money in dollars, storage in MiB. Pure. */
import type { QuotaUsage } from "@bough/client"

export type Resource = QuotaUsage["resource"]

/** The texts that were changed. */
export type Drafts = { readonly [R in Resource]?: string }

/** The limits to set; null: no limit. */
export type Limits = { [R in Resource]?: number | null }

export const labels: Readonly<Record<Resource, string>> = {
  sessions: "Sessions",
  concurrentSteps: "Model calls at once",
  moneyPerDay: "Dollars a day",
  storage: "Storage in MiB",
  attachments: "Attachments"
}

/** The amount of the API in one unit of the field. */
const units: Readonly<Record<Resource, number>> = {
  sessions: 1,
  concurrentSteps: 1,
  moneyPerDay: 1_000_000,
  storage: 1_048_576,
  attachments: 1
}

export const fromLimit = (resource: Resource, limit: number | null): string =>
  limit === null ? "" : `${limit / units[resource]}`

const resources = Object.keys(labels) as ReadonlyArray<Resource>

/** Returns the limits of the changed fields; null: one of them is not a valid amount. */
export const toLimits = (drafts: Drafts): Limits | null => {
  const limits: Limits = {}
  for (const resource of resources) {
    const draft = drafts[resource]?.trim()
    if (draft === undefined) continue
    const amount = /^\d+(?:\.\d+)?$/u.test(draft) ? Math.round(Number(draft) * units[resource]) : null
    if (draft !== "" && (amount === null || !Number.isSafeInteger(amount))) return null
    // Counts are whole numbers.
    if (amount !== null && units[resource] === 1 && draft.includes(".")) return null
    limits[resource] = draft === "" ? null : amount
  }
  return limits
}
