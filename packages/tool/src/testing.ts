/**
 * Fakes for tests of tools, and the conformance kit for packs. The specifications of ports need vitest, so import each
 * of them separately.
 */
export { describePack, Nonconformance, packSpec } from "./testing/packSpec.ts"
export type { Check, PackSpecOptions, Rule, Runner, TestWorld } from "./testing/packSpec.ts"
export * as SampleCapability from "./testing/SampleCapability.ts"
export * as SampleInvocation from "./testing/SampleInvocation.ts"
export * as Worlds from "./testing/Worlds.ts"
