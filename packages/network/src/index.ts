/** The adapter of the network capabilities. */
export * as Addresses from "./Addresses.ts"
export * as Limits from "./Limits.ts"
export * as CommandProxy from "./proxy/CommandProxy.ts"
export * as Network from "./Network.ts"
export * as Registries from "./proxy/Registries.ts"
export * as Search from "./Search.ts"
export * as Providers from "./search/Providers.ts"
