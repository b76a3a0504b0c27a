/** Tools for sessions: start, steer, await and cancel others, tell people something. */
export { CancelSession } from "./CancelSession.ts"
export { ListSessions } from "./ListSessions.ts"
export { SendMessage } from "./SendMessage.ts"
export * as SessionPack from "./SessionPack.ts"
export { SpawnBranch } from "./SpawnBranch.ts"
export { SpawnWorker } from "./SpawnWorker.ts"
export { SteerSession } from "./SteerSession.ts"
export { WaitForSessions } from "./WaitForSessions.ts"
