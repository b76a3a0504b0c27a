/**
 * Labels text from a folder that the user does not trust: its files, its history and the output of commands there come
 * from others.
 */
import { Capability, type ToolContext } from "@bough/tool"

const readCapabilities: ReadonlySet<string> = new Set([
  Capability.WorkspaceRead.key,
  Capability.RepositoryRead.key,
  Capability.CodeIntelligence.key,
  Capability.Execution.key
])

/** Returns a context in which calls that read the folder are marked as untrusted. */
export const markUntrusted = (context: ToolContext.ToolContext): ToolContext.ToolContext => ({
  ...context,
  capabilities: new Map(
    [...context.capabilities].map(([key, one]) => [key, readCapabilities.has(key) ? withMarks(one) : one])
  )
})

const withMarks = <Service>({
  afterWrite,
  ...provided
}: ToolContext.ProvidedService<Service>): ToolContext.ProvidedService<Service> => ({
  ...provided,
  ...(afterWrite === undefined
    ? {}
    : {
        afterWrite: (written) => {
          written.mark("untrusted")
          return afterWrite(written)
        }
      }),
  make: (invocation, mark, bounds) => {
    mark("untrusted")
    return provided.make(invocation, mark, bounds)
  }
})
