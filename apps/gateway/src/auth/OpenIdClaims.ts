/** Claims of a verified ID token as a user of the gateway. */
import * as Schema from "effect/Schema"
import { UserId } from "../accounts/Principal.ts"
import type { OpenIdSettings } from "./AuthSettings.ts"

export type Claims = Readonly<Record<string, unknown>>

/** True if each required claim equals the value, or is a list that contains it. */
export const hasRequiredClaims = (claims: Claims, { requiredClaims = {} }: OpenIdSettings): boolean =>
  Object.entries(requiredClaims).every(([name, value]) => {
    const claim = Object.hasOwn(claims, name) ? claims[name] : undefined
    return claim === value || (Array.isArray(claim) && claim.includes(value))
  })

const isUserId = Schema.is(UserId)

/** Returns the id of a new user; null: the claim is missing or has no character that an id may contain. */
export const toUserId = (claims: Claims, { userClaim = "preferred_username" }: OpenIdSettings): UserId | null => {
  const claim = Object.hasOwn(claims, userClaim) ? claims[userClaim] : undefined
  if (typeof claim !== "string") return null
  const id = claim
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 63)
  return isUserId(id) ? id : null
}

export const toName = (claims: Claims, fallback: string): string => {
  const name = claims["name"]
  return typeof name === "string" && name.trim() !== "" ? name.slice(0, 200) : fallback
}
