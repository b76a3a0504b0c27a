/** The gateway for programs that start it themselves. */
export * as Accounts from "./accounts/Accounts.ts"
export * as Packs from "./Packs.ts"
export * as Principal from "./accounts/Principal.ts"
export * as Server from "./Server.ts"
export { main } from "./main.ts"
