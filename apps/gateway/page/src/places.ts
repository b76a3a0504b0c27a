/** The screens beside conversations: their address, name, and who sees them. */
import type { ComponentType } from "react"
import type { Account } from "./api/account.ts"
import { ApprovalsScreen } from "./screens/ApprovalsScreen.tsx"

export interface PlaceEntry {
  readonly path: string
  readonly name: string
  readonly screen: ComponentType
  /** The scope that the screen needs; null: none. */
  readonly scope: Account["scopes"][number] | null
}

const all: ReadonlyArray<PlaceEntry> = [{ path: "/approvals", name: "Approvals", screen: ApprovalsScreen, scope: null }]

export const places = ({ scopes }: Account): ReadonlyArray<PlaceEntry> =>
  all.filter(({ scope }) => scope === null || scopes.includes(scope))
