/** Fakes for tests of tools: a capability and an invocation. The specifications of ports and packs need vitest: import each by itself. */
export * as SampleCapability from "./testing/SampleCapability.ts"
export * as SampleInvocation from "./testing/SampleInvocation.ts"
