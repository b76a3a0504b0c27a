/** Private data without a keyring or files: a vault, environment variables, and attachments of messages. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import * as Capability from "../../Capability.ts"
import type { TestWorld } from "../conformance/Subject.ts"

/** Makes a vault with these values by name. `state` shows the copies that were made. */
export const vault = (values: Readonly<Record<string, string>> = {}): TestWorld => {
  const copies = new Set<string>()
  const service: Capability.Vault["Service"] = {
    names: Effect.succeed(Object.keys(values)),
    read: (name, field) =>
      Object.hasOwn(values, name)
        ? Effect.succeed(Buffer.from(values[name]))
        : Effect.fail(new ToolError.ValidationError({ message: `no entry ${name}`, field, issues: [] })),
    markCopy: (_name, copy) => Effect.sync(() => void copies.add(copy)),
    isCopy: (copy) => Effect.sync(() => copies.has(copy))
  }
  return { provisions: [Capability.provide(Capability.Vault, { service })], state: () => [...copies] }
}

/** Makes environment variables of a session. `state` shows them. */
export const environment = (values: Readonly<Record<string, string>> = {}): TestWorld => {
  const set = new Map(Object.entries(values))
  const read = (name: string) => {
    const value = set.get(name)
    return value === undefined ? null : { value, from: "session" as const }
  }
  const service: Capability.Environment["Service"] = {
    get: (name) => Effect.sync(() => read(name)),
    set: (name, value) =>
      Effect.sync(() => {
        const previous = read(name)
        set.set(name, value)
        return previous
      })
  }
  return { provisions: [Capability.provide(Capability.Environment, { service })], state: () => [...set] }
}

/** Makes attachments of a user's messages. */
export const attachments = (...contents: ReadonlyArray<string | Uint8Array>): TestWorld => ({
  provisions: [
    Capability.provide(Capability.Attachments, {
      service: {
        list: Effect.succeed(contents.map((content) => (typeof content === "string" ? Buffer.from(content) : content)))
      }
    })
  ]
})
