/** A language server and its restarts, for one view of the workspace. */
import { ToolError } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { WarmServer } from "./client/WarmServer.ts"
import type { ServerConfig } from "./ServerConfig.ts"

export interface ServerSlot {
  readonly server: ServerConfig
  readonly withheld: ToolContext.WithheldLocations | null
  readonly lock: Semaphore.Semaphore
  /** The running server and the scope of its process; null: none is running. */
  running: { readonly warm: WarmServer; readonly scope: Scope.Closeable } | null
  /** The number of consecutive failures: the server could not be started, or ended soon after its start. */
  failures: number
  startedAtMillis: number
  lastUsed: number
  /** The reason why the server last ended, and the time from which it may be restarted. */
  lastEnd: string
  notBeforeMillis: number
}

const firstPauseMillis = 1000
const maxPauseMillis = 60_000
/** A server that ends within this time after its start counts as failed. */
const minLifeMillis = 10_000

export const make = (server: ServerConfig, withheld: ToolContext.WithheldLocations | null): ServerSlot => ({
  server,
  withheld,
  lock: Semaphore.makeUnsafe(1),
  running: null,
  failures: 0,
  startedAtMillis: 0,
  lastUsed: 0,
  lastEnd: "",
  notBeforeMillis: 0
})

/** Records that the server ended or did not start; an end soon after the start counts as a failure. */
export const recordEnd = (slot: ServerSlot, reason: string, nowMillis: number): void => {
  const hasFailed = slot.running === null || nowMillis - slot.startedAtMillis < minLifeMillis
  slot.failures = hasFailed ? slot.failures + 1 : 0
  slot.lastEnd = reason
  const pause = slot.failures === 0 ? 0 : Math.min(firstPauseMillis * 2 ** (slot.failures - 1), maxPauseMillis)
  // After the first failure, the server is restarted at once, because a bad file or a user may have ended it.
  slot.notBeforeMillis = slot.failures <= 1 ? nowMillis : nowMillis + pause
}

/** Returns the error of a server that may not be restarted yet; null: it may. */
export const restartError = (
  { failures, lastEnd, notBeforeMillis, server }: ServerSlot,
  nowMillis: number
): ToolError.ExecutionError | null => {
  if (nowMillis >= notBeforeMillis) return null
  const seconds = Math.ceil((notBeforeMillis - nowMillis) / 1000)
  return new ToolError.ExecutionError({
    message: `the language server ${server.name} failed ${failures} times in a row and may be started again in ${seconds} s: ${lastEnd}`,
    hint: checkHint(server)
  })
}

/** Makes the error of a server that did not start. */
export const startError = ({ server }: ServerSlot, reason: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `the language server ${server.name} did not start: ${reason}`,
    hint: checkHint(server)
  })

const checkHint = ({ args, command }: ServerConfig): string =>
  `check that this program works here: ${[command, ...args].join(" ")}`
