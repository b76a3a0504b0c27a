/**
 * The route of a request as the API writes it, so that a log line or a metric contains no id and no text of a caller.
 * Pure.
 */
import { Api } from "@bough/gateway-api"
import * as HttpApi from "effect/http-api/HttpApi"
import * as CompatibilityPaths from "../compatibility/CompatibilityPaths.ts"

/** The templates of a method and a number of parts; one with more fixed names comes first. */
const templates = new Map<string, Array<ReadonlyArray<string>>>()

const parametersIn = (template: ReadonlyArray<string>): number => template.filter((part) => part.startsWith(":")).length

const methods = new Set<string>()

const key = (method: string, length: number): string => `${method} ${length}`

HttpApi.reflect(Api.Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path } }) => {
    const parts = path.replace(/\/$/u, "").split("/")
    methods.add(method)
    const known = templates.get(key(method, parts.length)) ?? []
    templates.set(
      key(method, parts.length),
      [...known, parts].toSorted((a, b) => parametersIn(a) - parametersIn(b))
    )
  }
})

/** Routes of other protocols and of the page, which their first part identifies. */
const foreignRoots: ReadonlySet<string> = new Set(["v1", "ag-ui", "auth", "assets"])

const fits = (template: ReadonlyArray<string>, parts: ReadonlyArray<string>): boolean =>
  template.every((part, index) => part.startsWith(":") || part === parts[index])

const partsOf = (url: string): ReadonlyArray<string> => (url.split("?", 1)[0] ?? "").replace(/\/$/u, "").split("/")

const compatible = Object.entries(CompatibilityPaths.methods).map(
  ([path, allowed]) => [path.split("/"), allowed] as const
)

/** Returns the methods for the path of a request; empty: neither the API nor another protocol has such a path. */
export const methodsFor = (url: string): ReadonlyArray<string> => {
  const parts = partsOf(url)
  const foreignRoute = compatible.find(([template]) => template.length === parts.length && fits(template, parts))
  if (foreignRoute !== undefined) return foreignRoute[1]
  return [...methods].filter((method) =>
    (templates.get(key(method, parts.length)) ?? []).some((template) => fits(template, parts))
  )
}

/** Returns the template of a route, a part of the page or of another protocol, or `other`. */
export const fromRequest = (method: string, url: string): string => {
  const path = url.split("?", 1)[0] ?? ""
  const parts = partsOf(url)
  const found = templates.get(key(method, parts.length))?.find((template) => fits(template, parts))
  if (found !== undefined) return found.join("/") || "/"
  const first = parts[1] ?? ""
  return path === "/"
    ? "/"
    : path.startsWith("/api/chat")
      ? "/api/chat"
      : foreignRoots.has(first)
        ? `/${first}`
        : "other"
}

/** Returns the session that a path of the API names; null: it names none. */
export const sessionIn = (url: string): string | null => /^\/api\/v1\/sessions\/(ses_[0-9a-f]+)/u.exec(url)?.[1] ?? null
