/** The JSON Schema keywords that a TypeScript type cannot express. */
import { isNode, listOf, nodeOf, typesOf } from "../internal/nodes.ts"
import { pathBelow, collect, type Loss, type Losses } from "../Loss.ts"
import type { JsonSchema } from "../ToolMessage.ts"

/** Keywords that `SchemaType.typeText` reads in every node; it reads `default` and `description` only in a property. */
const known: ReadonlySet<string> = new Set("type properties required items enum const anyOf oneOf".split(" "))
const ofProperty: ReadonlySet<string> = new Set(["default", "description"])

/** Lists the parts of the schema that its TypeScript type cannot express. */
export const ofTypeText = (schema: JsonSchema, at: string): ReadonlyArray<Loss> => {
  const losses = collect()
  const hasArguments = Object.keys(nodeOf(schema["properties"])).length > 0
  if (!hasArguments && schema["additionalProperties"] !== false) losses.add("Open", at, "no arguments")
  visit(schema, { at, losses, isProperty: false })
  return losses.list
}

interface SchemaPosition {
  readonly at: string
  readonly losses: Losses
  readonly isProperty: boolean
}

const visit = (node: JsonSchema, { at, isProperty, losses }: SchemaPosition): void => {
  for (const keyword of Object.keys(node)) {
    const isKnown = known.has(keyword) || (isProperty && ofProperty.has(keyword))
    if (!isKnown && keyword !== "additionalProperties" && keyword !== "$ref") {
      losses.add("Keyword", pathBelow(at, keyword), keyword)
    }
  }
  if ("$ref" in node) losses.add("Reference", at, "any value")
  if ("const" in node || Array.isArray(node["enum"])) return
  const alternatives = [...listOf(node["anyOf"]), ...listOf(node["oneOf"])]
  if (alternatives.length > 0) {
    alternatives.forEach((one, index) =>
      visit(nodeOf(one), { at: pathBelow(pathBelow(at, "anyOf"), index), losses, isProperty: false })
    )
    return
  }
  const types = typesOf(node)
  if (types.length === 0 && !("$ref" in node)) losses.add("Type", at, "any value")
  if (types.includes("integer")) losses.add("Type", at, "number")
  if (types.includes("array")) visit(nodeOf(node["items"]), { at: pathBelow(at, "items"), losses, isProperty: false })
  if (types.includes("object")) visitObject(node, { at, losses })
}

const visitObject = (node: JsonSchema, { at, losses }: Omit<SchemaPosition, "isProperty">): void => {
  const others = node["additionalProperties"]
  const isEmpty = Object.keys(nodeOf(node["properties"])).length === 0
  if (others === false && !isEmpty) losses.add("Keyword", pathBelow(at, "additionalProperties"), "additionalProperties")
  if (isNode(others)) visit(others, { at: pathBelow(at, "additionalProperties"), losses, isProperty: false })
  for (const [name, member] of Object.entries(nodeOf(node["properties"]))) {
    visit(nodeOf(member), { at: pathBelow(pathBelow(at, "properties"), name), losses, isProperty: true })
  }
}
