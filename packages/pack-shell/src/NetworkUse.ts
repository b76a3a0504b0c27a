/** The requests that a command sent through the sandbox's proxy, for the receipt and for the readers of its result. */
import { type Artifact, RefusalName } from "@bough/protocol"
import type { Execution } from "@bough/tool"

type Requests = ReadonlyArray<Execution.CommandRequest>

/** Returns the sent requests as artifacts. A refused request sent no bytes. */
export const artifacts = (requests: Requests): ReadonlyArray<Artifact.Artifact> =>
  requests
    .filter(({ bytes, status }) => status !== null || bytes > 0)
    .map(({ bytes, method, status, url }) => ({ _tag: "RequestSent", method, url, status, bytes }))

const maxRemarks = 5

/** True if no rule covers the host: approval for it can be requested before the command starts. */
const isUndecided = (reason: string): boolean => reason.includes("no rule lets commands reach")
const how = '; use escalate to "network" to ask'

/** Returns a line for each refused host, since programs rarely show a proxy's answer. */
export const remarks = (requests: Requests): ReadonlyArray<string> => {
  const refused = requests.flatMap(({ refused: reason, url }) => (reason === null ? [] : [{ reason, url }]))
  const lines = refused.slice(0, maxRemarks).map(({ reason, url }) => {
    const why = RefusalName.withoutName(reason)
    return `sandbox: ${url} was not reached. ${why}${isUndecided(reason) ? how : ""}`
  })
  const more = refused.length - lines.length
  return more === 0 ? lines : [...lines, `sandbox: ${more} more hosts were not reached`]
}
