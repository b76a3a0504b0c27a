/** What the page reads of the API, by query key. */
import { dataOf } from "@bough/client"
import { queryOptions } from "@tanstack/react-query"
import { gateway } from "./gateway.ts"

const { api } = gateway

export const sessions = () =>
  queryOptions({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => dataOf(api.GET("/api/v1/sessions", { params: { query: { limit: "100" } }, signal })),
    refetchInterval: 15_000
  })

export const session = (sessionId: string) =>
  queryOptions({
    queryKey: ["session", sessionId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/sessions/{sessionId}", { params: { path: { sessionId } }, signal }))
  })

export const tree = (sessionId: string) =>
  queryOptions({
    queryKey: ["tree", sessionId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/sessions/{sessionId}/tree", { params: { path: { sessionId } }, signal }))
  })

export const approvals = () =>
  queryOptions({
    queryKey: ["approvals"],
    queryFn: ({ signal }) => dataOf(api.GET("/api/v1/approvals", { signal })),
    refetchInterval: 5_000,
    refetchIntervalInBackground: true
  })
