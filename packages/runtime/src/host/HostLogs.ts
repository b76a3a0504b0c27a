/**
 * The event logs of a host's trees: they outlive the sessions that publish in them, for readers that stay attached or
 * return.
 */
import type { Session } from "@bough/protocol"
import * as EventLog from "../journal/EventLog.ts"

export interface HostLogs {
  readonly of: (treeId: Session.SessionId) => EventLog.EventLog
  /** Drops the oldest logs beyond the bound that have no reader and no loaded session. */
  readonly forget: (isLoaded: (treeId: Session.SessionId) => boolean) => void
}

/** The number of logs without a reader that are kept, for readers that come back. */
const maxUnread = 64

export const make = (capacity: number = EventLog.usualCapacity): HostLogs => {
  const logs = new Map<Session.SessionId, EventLog.EventLog>()
  return {
    of: (treeId) => {
      const log = logs.get(treeId) ?? EventLog.make(treeId, capacity)
      // The one used last comes last.
      logs.delete(treeId)
      logs.set(treeId, log)
      return log
    },
    forget: (isLoaded) => {
      if (logs.size <= maxUnread) return
      const unread = Array.from(logs.values()).filter((log) => log.readers() === 0 && !isLoaded(log.treeId))
      for (const { treeId } of unread.slice(0, Math.max(0, unread.length - maxUnread))) logs.delete(treeId)
    }
  }
}
