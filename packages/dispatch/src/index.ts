/** One tool call, step by step. */
export * as Call from "./Call.ts"
export * as Gate from "./Gate.ts"
export * as Ledger from "./Ledger.ts"
export * as Caller from "./Caller.ts"
export * as Redaction from "./Redaction.ts"
