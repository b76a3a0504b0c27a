/** Small data tools: time. */
export { CurrentTime } from "./CurrentTime.ts"
export * as DataPack from "./DataPack.ts"
