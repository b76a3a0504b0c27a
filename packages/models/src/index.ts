/** Models behind the port: providers, the planner that needs none, and the choice between them. */
export * as AiSdkBridge from "./AiSdkBridge.ts"
export * as Failure from "./Failure.ts"
export * as OpenAiCompatible from "./OpenAiCompatible.ts"
export * as Price from "./Price.ts"
export * as Retry from "./Retry.ts"
