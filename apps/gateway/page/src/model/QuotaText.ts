/** The use of a quota as text. Pure. */
import type { QuotaUsage } from "@bough/client"

const names: Readonly<Record<QuotaUsage["resource"], string>> = {
  sessions: "sessions",
  concurrentSteps: "model calls at once",
  moneyPerDay: "money today",
  storage: "storage",
  attachments: "attachments"
}

const kibibyte = 1024
const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB"] as const

/** Formats a size such as `12 B` or `1.5 MiB`. */
export const bytes = (amount: number): string => {
  const power = amount < kibibyte ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log2(amount) / 10))
  const value = amount / kibibyte ** power
  return `${power === 0 ? value : value.toFixed(1)} ${byteUnits[power]}`
}

const amountOf = (resource: QuotaUsage["resource"], amount: number): string => {
  if (resource === "moneyPerDay") return `$${(amount / 1_000_000).toFixed(2)}`
  return resource === "storage" ? bytes(amount) : `${amount}`
}

export const format = ({ limit, resource, used }: QuotaUsage): string => {
  const limitText = limit === null ? "" : ` of ${amountOf(resource, limit)}`
  return `${names[resource]}: ${amountOf(resource, used)}${limitText}`
}
