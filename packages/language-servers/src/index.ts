/** Language servers as the capability CodeIntelligence. The client is loaded with the first server that is started. */
export * as KnownServers from "./KnownServers.ts"
export * as LanguageServers from "./LanguageServers.ts"
export * as ServerConfig from "./ServerConfig.ts"
