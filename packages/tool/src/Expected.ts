/**
 * The values that public functions expect as arguments. A program without types may pass others, whose error describes
 * the expected value, with an example.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/** Returns what a wrong value must be, as in "must be a string (it is null)"; null: the value fits. */
export type Expected = (value: unknown) => string | null

type Fields = Readonly<Record<string, Expected>>

/** Describes the type of a wrong value, as in " (it is missing)". */
export const typeText = (value: unknown): string =>
  value === undefined ? " (it is missing)" : ` (it is ${value === null ? "null" : `of type ${typeof value}`})`

const fits =
  (text: string, accepts: (value: unknown) => boolean): Expected =>
  (value) =>
    accepts(value) ? null : `must be ${text}${typeText(value)}`

export const string: Expected = fits("a string", (value) => typeof value === "string")

export const callable: Expected = fits("a function", (value) => typeof value === "function")

export const schema: Expected = fits("an Effect Schema, as in Schema.String", Schema.isSchema)

/** A value that may be absent. */
export const optional =
  (expected: Expected): Expected =>
  (value) =>
    value === undefined ? null : expected(value)

/** An object with these fields. `text` describes it with an example. */
export const object =
  (text: string, fields: Fields = {}): Expected =>
  (value) => {
    if (!Predicate.isReadonlyObject(value)) return `must be ${text}${typeText(value)}`
    for (const [name, expected] of Object.entries(fields)) {
      const fault = expected(value[name])
      if (fault !== null) return `must be ${text}: its field ${name} ${fault}`
    }
    return null
  }

/** A list of such items. `text` describes it with an example. */
export const list =
  (text: string, item: Expected = () => null): Expected =>
  (value) => {
    if (!Array.isArray(value)) return `must be ${text}${typeText(value)}`
    for (const [at, one] of value.entries()) {
      const fault = item(one)
      if (fault !== null) return `must be ${text}: item ${at + 1} ${fault}`
    }
    return null
  }

const toolText = "a tool of Tool.make or Tool.fromAsync"

/** The parts of a tool that its JSON Schemas are derived from. */
export const described = (field: "parameters" | "output"): Expected => object(toolText, { [field]: schema })

export const tool: Expected = object(toolText, { name: string, parameters: schema, output: schema })

export const tools: Expected = list("a list of tools, as in [readFile, writeFile]", tool)

export const pack: Expected = object("a pack of ToolPack.make, as in ToolPack.make(tool)", {
  tools: object("an object of tools by name")
})

/** A capability is a class, whose key is a static field. */
export const capability: Expected = fits(
  "a capability, as in Capability.WorkspaceRead",
  (value) =>
    (typeof value === "function" || Predicate.isReadonlyObject(value)) &&
    typeof (value as { readonly key?: unknown }).key === "string"
)
