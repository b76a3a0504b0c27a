/**
 * The event logs of a host's trees. They outlive the sessions that publish in them, for readers that stay attached or
 * reconnect.
 */
import type { Session } from "@bough/protocol"
import * as EventLog from "../journal/EventLog.ts"

export interface HostLogs {
  readonly of: (treeId: Session.SessionId) => EventLog.EventLog
  /**
   * Drops the oldest logs beyond the bound that have no reader and no open session. The log of a dormant session keeps
   * its numbers and continues them.
   */
  readonly forget: (sessions: LoadedSessions) => void
}

interface LoadedSessions {
  readonly isLoaded: (treeId: Session.SessionId) => boolean
  readonly isDormant: (treeId: Session.SessionId) => boolean
}

/** The number of logs without a reader that are kept, for readers that reconnect. */
const maxUnread = 64

export const make = (capacity: number = EventLog.usualCapacity): HostLogs => {
  const logs = new Map<Session.SessionId, EventLog.EventLog>()
  return {
    of: (treeId) => {
      const log = logs.get(treeId) ?? EventLog.make(treeId, capacity)
      // Moves the log to the end, because the order is by last use.
      logs.delete(treeId)
      logs.set(treeId, log)
      return log
    },
    forget: ({ isDormant, isLoaded }) => {
      if (logs.size <= maxUnread) return
      const unread = Array.from(logs.values()).filter(
        (log) => log.readers() === 0 && (!isLoaded(log.treeId) || isDormant(log.treeId))
      )
      for (const log of unread.slice(0, Math.max(0, unread.length - maxUnread))) {
        if (isDormant(log.treeId)) log.clear()
        else logs.delete(log.treeId)
      }
    }
  }
}
