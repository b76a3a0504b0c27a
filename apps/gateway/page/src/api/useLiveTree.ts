/**
 * The live tree of the session on screen. Lists that a frame makes outdated are read again, at most every half second.
 */
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useSyncExternalStore } from "react"
import * as Conversation from "../model/Conversation.ts"
import { staleKeys } from "../model/StaleKeys.ts"
import { gateway } from "./gateway.ts"
import { LiveTree, type LiveView } from "./LiveTree.ts"

export interface LiveSession {
  readonly connection: LiveView["connection"]
  readonly conversation: Conversation.Conversation
  readonly isLoading: boolean
  readonly error: string | null
}

const nothing: LiveView = { connection: "connecting", sessions: new Map() }
const never = () => () => {}

export const useLiveTree = (treeId: string | null, sessionId: string): LiveSession => {
  const queries = useQueryClient()
  const tree = useMemo(() => {
    if (treeId === null) return null
    const stale = new Set<string>()
    return new LiveTree(gateway, treeId, (frames) => {
      if (stale.size === 0) {
        setTimeout(() => {
          for (const key of stale) void queries.invalidateQueries({ queryKey: [key] })
          stale.clear()
        }, 500)
      }
      for (const key of frames.flatMap(staleKeys)) stale.add(key)
    })
  }, [treeId, queries])
  useEffect(() => {
    void tree?.open()
    return () => tree?.close()
  }, [tree])
  useEffect(() => tree?.watch(sessionId), [tree, sessionId])
  const view = useSyncExternalStore(tree?.subscribe ?? never, tree?.view ?? (() => nothing))
  const watched = view.sessions.get(sessionId)
  const empty = useMemo(() => Conversation.empty(sessionId), [sessionId])
  return {
    connection: view.connection,
    conversation: watched?.conversation ?? empty,
    isLoading: watched === undefined || (watched.held !== null && watched.conversation.seq < 0),
    error: watched?.error ?? null
  }
}
