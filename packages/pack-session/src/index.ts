/** Tools for sessions: start, steer, await and cancel others. */
export { CancelSession } from "./CancelSession.ts"
export { ListSessions } from "./ListSessions.ts"
export * as SessionPack from "./SessionPack.ts"
export { SpawnBranch } from "./SpawnBranch.ts"
export { SpawnWorker } from "./SpawnWorker.ts"
export { SteerSession } from "./SteerSession.ts"
export { WaitForSessions } from "./WaitForSessions.ts"
