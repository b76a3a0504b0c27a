/** The ids and values that random requests use: those of the first data, and those learned from answers. */
import type * as RandomRequests from "./RandomRequests.ts"

interface IdInAnswer {
  /** The path parameter that takes the id. */
  readonly parameter: string
  /** The keys that lead to the id in the answer, or in an item of a list. */
  readonly keys: ReadonlyArray<string>
}

/** The id of the resource that an operation creates, by the name of the operation. */
const createdIds: Readonly<Record<string, IdInAnswer>> = {
  "sessions.create": { parameter: "sessionId", keys: ["id"] },
  "sessions.fork": { parameter: "sessionId", keys: ["id"] },
  "notes.create": { parameter: "noteId", keys: ["noteId"] },
  "attachments.upload": { parameter: "attachmentId", keys: ["id"] },
  "workspaces.upload": { parameter: "workspaceId", keys: ["id"] },
  "webhooks.create": { parameter: "webhookId", keys: ["webhook", "id"] },
  "tokens.create": { parameter: "tokenId", keys: ["credential", "tokenId"] },
  "tenants.create": { parameter: "tenant", keys: ["tenant"] },
  "tenants.addUser": { parameter: "user", keys: ["user", "user"] }
}

/** The id of an item of a list, by the name of the operation that lists. */
const listedIds: Readonly<Record<string, IdInAnswer>> = {
  "approvals.list": { parameter: "approvalId", keys: ["request", "approvalId"] },
  "artifacts.list": { parameter: "artifactId", keys: ["id"] },
  "attachments.list": { parameter: "attachmentId", keys: ["id"] },
  "rules.list": { parameter: "ruleId", keys: ["id"] }
}

/** Returns the value that the keys lead to. */
const valueAt = (value: unknown, keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], value)

/** Parameters that the paths of a created resource need, and that the path of the operation that creates it lacks. */
const fixedIds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "tokens.create": { tenant: "operators" }
}

/** The maximum number of resources that are remembered for the same parameters. */
const maxPerKind = 4

/** Returns the names of a resource's parameters, which are the same for all resources of one kind. */
const namesOf = ({ ids }: RandomRequests.KnownThing): string => Object.keys(ids).toSorted().join()

/** Makes the values that requests are made from; `learn` adds the ids of an answer, and removes a deleted resource. */
export const make = (
  things: ReadonlyArray<RandomRequests.KnownThing>,
  values: Record<string, ReadonlyArray<string>>
) => {
  const known = { things: [...things], values }

  const add = (ids: Readonly<Record<string, string>>): void => {
    const thing = { ids, isKept: false }
    const sameKind = known.things.filter((other) => !other.isKept && namesOf(other) === namesOf(thing))
    const dropped = new Set(sameKind.slice(maxPerKind - 1))
    known.things = [thing, ...known.things.filter((other) => !dropped.has(other))]
  }

  const learn = ({ ids, operation }: RandomRequests.RandomRequest, text: string, isJson: boolean): void => {
    const { method, operationId } = operation
    if (method === "DELETE") {
      // The last parameter names the deleted resource.
      const [name, deletedId] = Object.entries(ids).at(-1) ?? ["", ""]
      known.things = known.things.filter((thing) => thing.isKept || thing.ids[name] !== deletedId)
    }
    if (!isJson) return
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (typeof body["next"] === "string") known.values[`${operationId}.cursor`] = [body["next"]]
    const [item] = (body["items"] ?? []) as ReadonlyArray<unknown>
    const source =
      operationId in createdIds
        ? { ...createdIds[operationId], value: body }
        : operationId in listedIds && item !== undefined
          ? { ...listedIds[operationId], value: item }
          : null
    const id = source === null ? null : valueAt(source.value, source.keys)
    if (source !== null && typeof id === "string") add({ ...ids, ...fixedIds[operationId], [source.parameter]: id })
  }
  return { known, learn }
}
