/** Names the responses that many operations share, so that each type is written once. */
import type { OpenAPI3, PathItemObject, ReferenceObject, ResponseObject } from "openapi-typescript"

const methods = ["get", "put", "post", "delete", "patch"] as const

type Response = ResponseObject | ReferenceObject

/** Moves each response whose body is one problem to `components.responses`, and refers to it from the operations. */
export const withSharedResponses = (document: OpenAPI3): OpenAPI3 => {
  const shared: Record<string, Response> = {}
  const share = (response: Response): Response => {
    const name = problemOf(response)
    if (name === null) return response
    shared[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
  const shareAll = (item: PathItemObject): PathItemObject => {
    const operations = methods.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined || "$ref" in operation) return []
      const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => [status, share(response)])
      return [[method, { ...operation, responses: Object.fromEntries(responses) }] as const]
    })
    return { ...item, ...Object.fromEntries(operations) }
  }
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => [
    path,
    "$ref" in item ? item : shareAll(item)
  ])
  return { ...document, paths: Object.fromEntries(paths), components: { ...document.components, responses: shared } }
}

/** Returns the name of the problem that the response describes; null: its body is something else. */
const problemOf = (response: Response): string | null => {
  if ("$ref" in response) return null
  const body = response.content?.["application/problem+json"]
  const schema = body === undefined || "$ref" in body ? undefined : body.schema
  if (schema === undefined || !("$ref" in schema)) return null
  return /^#\/components\/schemas\/(\w+)Encoded$/u.exec(schema.$ref ?? "")?.[1] ?? null
}
