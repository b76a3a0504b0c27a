/**
 * Fakes for tests of programs on the runtime: scripted models, a user whose decisions the test controls, and journals.
 */
export * as CastModel from "./testing/CastModel.ts"
export * as ModelProbe from "./testing/ModelProbe.ts"
export * as Reply from "./testing/Reply.ts"
export * as SampleAgent from "./testing/SampleAgent.ts"
export * as SampleJournal from "./testing/SampleJournal.ts"
export * as ScriptedModel from "./testing/ScriptedModel.ts"
export * as ScriptedPerson from "./testing/ScriptedPerson.ts"
export * as BlobStoreMemory from "./ports/BlobStoreMemory.ts"
export * as SessionStoreMemory from "./ports/SessionStoreMemory.ts"
