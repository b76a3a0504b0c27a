/** Runs work that may hang or exhaust memory in threads that can be ended. */
export * as Answering from "./Answering.ts"
export * as BoundedThreads from "./BoundedThreads.ts"
