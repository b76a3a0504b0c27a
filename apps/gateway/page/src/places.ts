/** The screens other than conversations: their address, their name, and the scope that they need. */
import type { ComponentType } from "react"
import type { Account } from "./api/account.ts"
import { ApprovalsScreen } from "./screens/ApprovalsScreen.tsx"
import { AuditScreen } from "./screens/AuditScreen.tsx"
import { NotesScreen } from "./screens/NotesScreen.tsx"
import { RulesScreen } from "./screens/RulesScreen.tsx"
import { TenantsScreen } from "./screens/TenantsScreen.tsx"
import { TokensScreen } from "./screens/TokensScreen.tsx"
import { ToolsScreen } from "./screens/ToolsScreen.tsx"
import { UsageScreen } from "./screens/UsageScreen.tsx"

export interface PlaceEntry {
  readonly path: string
  readonly name: string
  readonly screen: ComponentType
  /** The scope that the screen needs. */
  readonly scope: Account["scopes"][number]
}

const all: ReadonlyArray<PlaceEntry> = [
  { path: "/approvals", name: "Approvals", screen: ApprovalsScreen, scope: "read" },
  { path: "/notes", name: "Notes", screen: NotesScreen, scope: "read" },
  { path: "/usage", name: "Usage", screen: UsageScreen, scope: "read" },
  { path: "/tools", name: "Tools and agents", screen: ToolsScreen, scope: "read" },
  { path: "/rules", name: "Rules", screen: RulesScreen, scope: "read" },
  { path: "/tokens", name: "Tokens", screen: TokensScreen, scope: "read" },
  { path: "/tenants", name: "Tenants", screen: TenantsScreen, scope: "admin" },
  { path: "/audit", name: "Audit log", screen: AuditScreen, scope: "admin" }
]

export const places = ({ scopes }: Account): ReadonlyArray<PlaceEntry> =>
  all.filter(({ scope }) => scopes.includes(scope))
