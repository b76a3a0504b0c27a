/** Adapter specs, and models that need no network: scripted and recorded ones. */
export * as CastModel from "./CastModel.ts"
export * as ChildProcess from "./ChildProcess.ts"
export * as Explore from "./Explore.ts"
export * as RecordedModel from "./RecordedModel.ts"
export * as Reply from "./Reply.ts"
export * as ScriptedModel from "./ScriptedModel.ts"
export * as SampleInvocation from "./SampleInvocation.ts"
export * as SampleJournal from "./SampleJournal.ts"
