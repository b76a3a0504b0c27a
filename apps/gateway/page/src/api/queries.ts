/** The API reads of the page, by query key. */
import { dataOf } from "@bough/client"
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { gateway } from "./gateway.ts"

const { api } = gateway

/** The newest sessions. */
export const sessions = () =>
  queryOptions({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => dataOf(api.GET("/api/v1/sessions", { params: { query: { limit: "100" } }, signal })),
    refetchInterval: 15_000
  })

/** Pages of the list of sessions, newest first. Cursor null: the first page. */
export const sessionPages = (archived: "true" | "false") =>
  infiniteQueryOptions({
    queryKey: ["sessions", "pages", archived],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET("/api/v1/sessions", {
          params: { query: { limit: "100", archived, ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal
        })
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 15_000
  })

/** The sessions whose titles contain the text, and the messages that match it. */
export const searchResults = (text: string, archived: "true" | "false") =>
  queryOptions({
    queryKey: ["sessions", "found", text, archived],
    queryFn: async ({ signal }) => {
      const [titled, said] = await Promise.all([
        dataOf(api.GET("/api/v1/sessions", { params: { query: { title: text, limit: "50", archived } }, signal })),
        dataOf(api.GET("/api/v1/sessions/search", { params: { query: { text, limit: "20" } }, signal }))
      ])
      return { titled: titled.items, said: said.items }
    },
    enabled: text !== "",
    placeholderData: (before) => (text === "" ? undefined : before)
  })

export const session = (sessionId: string) =>
  queryOptions({
    queryKey: ["session", sessionId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/sessions/{sessionId}", { params: { path: { sessionId } }, signal }))
  })

/** The mode may also be changed in a terminal, or by another page of the user. */
export const mode = (sessionId: string) =>
  queryOptions({
    queryKey: ["mode", sessionId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/sessions/{sessionId}/mode", { params: { path: { sessionId } }, signal })),
    refetchInterval: 15_000
  })

export const tree = (sessionId: string) =>
  queryOptions({
    queryKey: ["tree", sessionId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/sessions/{sessionId}/tree", { params: { path: { sessionId } }, signal }))
  })

/** Pages of changed files. Cursor null: the first page. */
export const changes = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: ["changes", sessionId],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET("/api/v1/sessions/{sessionId}/changes", {
          params: { path: { sessionId }, query: pageParam === null ? {} : { cursor: pageParam } },
          signal
        })
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next
  })

export const approvals = () =>
  queryOptions({
    queryKey: ["approvals"],
    queryFn: ({ signal }) => dataOf(api.GET("/api/v1/approvals", { signal })),
    refetchInterval: 5_000,
    refetchIntervalInBackground: true
  })

export const notes = (text: string) =>
  queryOptions({
    queryKey: ["notes", text],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/notes", { params: { query: text === "" ? { limit: "100" } : { text, limit: "100" } }, signal })
      ),
    placeholderData: (before) => before
  })

export const usage = () =>
  queryOptions({ queryKey: ["usage"], queryFn: ({ signal }) => dataOf(api.GET("/api/v1/usage", { signal })) })

export const tools = () =>
  queryOptions({ queryKey: ["tools"], queryFn: ({ signal }) => dataOf(api.GET("/api/v1/tools", { signal })) })

/** The agents of a new session in that workspace. Empty id: in a new workspace. */
export const agents = (workspaceId = "") =>
  queryOptions({
    queryKey: ["agents", workspaceId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/agents", { params: { query: workspaceId === "" ? {} : { workspaceId } }, signal }))
  })

/** The newest workspaces of the user. */
export const workspaces = () =>
  queryOptions({
    queryKey: ["workspaces"],
    queryFn: ({ signal }) => dataOf(api.GET("/api/v1/workspaces", { params: { query: { limit: "50" } }, signal }))
  })

export const models = () =>
  queryOptions({ queryKey: ["models"], queryFn: ({ signal }) => dataOf(api.GET("/api/v1/models", { signal })) })

export const rules = () =>
  queryOptions({ queryKey: ["rules"], queryFn: ({ signal }) => dataOf(api.GET("/api/v1/rules", { signal })) })

export const tokens = () =>
  queryOptions({ queryKey: ["tokens"], queryFn: ({ signal }) => dataOf(api.GET("/api/v1/tokens", { signal })) })

export const tenants = () =>
  queryOptions({ queryKey: ["tenants"], queryFn: ({ signal }) => dataOf(api.GET("/api/v1/tenants", { signal })) })

export const users = (tenant: string) =>
  queryOptions({
    queryKey: ["users", tenant],
    queryFn: ({ signal }) => dataOf(api.GET("/api/v1/tenants/{tenant}/users", { params: { path: { tenant } }, signal }))
  })

export const quotas = (tenant: string) =>
  queryOptions({
    queryKey: ["quotas", tenant],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/tenants/{tenant}/quotas", { params: { path: { tenant } }, signal }))
  })

/** Pages of a tenant's audit log. Page number null: the newest page. */
export const audit = (tenant: string) =>
  infiniteQueryOptions({
    queryKey: ["audit", tenant],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET("/api/v1/tenants/{tenant}/audit", {
          params: {
            path: { tenant },
            query: { limit: `${auditPage}`, ...(pageParam === null ? {} : { beforeSeq: `${pageParam}` }) }
          },
          signal
        })
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ items }) => (items.length < auditPage ? null : (items.at(-1)?.seq ?? null))
  })

const auditPage = 50

/** The bytes of an artifact, with the media type that the gateway detected. */
export const artifact = (sessionId: string, artifactId: string) =>
  queryOptions({
    queryKey: ["artifact", sessionId, artifactId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/sessions/{sessionId}/artifacts/{artifactId}", {
          params: { path: { sessionId, artifactId } },
          parseAs: "blob",
          signal
        })
      ),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY
  })
