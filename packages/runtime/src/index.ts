/** Sessions: journal, turns, steps, inbox, recovery. */
export * as Agent from "./Agent.ts"
export * as BlobStore from "./BlobStore.ts"
export * as Channel from "./Channel.ts"
export * as Model from "./Model.ts"
export * as SessionStore from "./SessionStore.ts"
export * as Session from "./Session.ts"
export * as Turn from "./Turn.ts"
