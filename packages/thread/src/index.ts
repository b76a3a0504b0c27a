/** Work that may hang or exhaust memory, in threads that are ended with it. */
export * as Answering from "./Answering.ts"
export * as BoundedThreads from "./BoundedThreads.ts"
