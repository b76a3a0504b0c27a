/** Writes a shape as an Effect Schema and as a TypeScript type. A property test checks that the two agree. */
import type { Field, Shape, TupleItem } from "./Shape.ts"

const quote = (text: string): string => JSON.stringify(text)

/** Formats a property name for an object or a type. */
export const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : quote(name))

/** Formats access to the property of an object. */
export const memberText = (object: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/u.test(name) ? `${object}.${name}` : `${object}[${quote(name)}]`

/** Adds a description to the schema, if there is one. */
export const described = (schema: string, description: string): string =>
  description === "" ? schema : `${schema}.annotate({ description: ${quote(description)} })`

/**
 * `optional`: an optional property may also be undefined, because the project's compiler options do not distinguish the
 * two.
 */
export interface SchemaStyle {
  readonly optional: "optional" | "optionalKey"
}

export const schemaText = (shape: Shape, style: SchemaStyle): string => {
  switch (shape._tag) {
    case "Text":
      return "Schema.String"
    case "Number":
      return "Schema.Finite"
    case "Boolean":
      return "Schema.Boolean"
    case "Null":
      return "Schema.Null"
    case "Literal":
      return `Schema.Literal(${JSON.stringify(shape.value)})`
    case "Enum":
      return literalsText(shape.values.map((value) => JSON.stringify(value)))
    case "Array":
      return mutable(`Schema.Array(${schemaText(shape.item, style)})`, shape.isMutable)
    case "Tuple":
      return mutable(
        `Schema.Tuple([${shape.items.map((item) => optionalText(schemaText(item.shape, style), item)).join(", ")}])`,
        shape.isMutable
      )
    case "Record":
      return `Schema.Record(Schema.String, ${schemaText(shape.value, style)})`
    case "Object":
      return structText(shape.fields, style)
    case "Union":
      return unionText(shape.members, style)
  }
}

const mutable = (schema: string, isMutable: boolean): string => (isMutable ? `Schema.mutable(${schema})` : schema)

const optionalText = (schema: string, { isOptional }: TupleItem): string =>
  isOptional ? `Schema.optionalKey(${schema})` : schema

const literalsText = (values: ReadonlyArray<string>): string =>
  values.length === 1 ? `Schema.Literal(${values[0]})` : `Schema.Literals([${values.join(", ")}])`

const unionText = (members: ReadonlyArray<Shape>, style: SchemaStyle): string => {
  const literals = members.filter((member) => member._tag === "Literal")
  const parts = [
    ...(literals.length === 0 ? [] : [literalsText(literals.map(({ value }) => JSON.stringify(value)))]),
    ...members.filter((member) => member._tag !== "Literal").map((member) => schemaText(member, style))
  ]
  return parts.length === 1 ? (parts[0] ?? "") : `Schema.Union([${parts.join(", ")}])`
}

const structText = (fields: ReadonlyArray<Field>, style: SchemaStyle): string =>
  fields.length === 0
    ? "Schema.Struct({})"
    : `Schema.Struct({ ${fields.map((field) => `${keyText(field.name)}: ${fieldText(field, style)}`).join(", ")} })`

const fieldText = ({ description, isOptional, shape }: Field, style: SchemaStyle): string => {
  const schema = described(schemaText(shape, style), description)
  return isOptional ? `Schema.${style.optional}(${schema})` : schema
}

/** Writes the type to which the schema decodes. A shape with an enum has no such text. */
export const typeText = (shape: Shape, style: SchemaStyle): string => {
  switch (shape._tag) {
    case "Text":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Null":
      return "null"
    case "Literal":
      return JSON.stringify(shape.value)
    case "Enum":
      return shape.values.map((value) => JSON.stringify(value)).join(" | ")
    case "Array":
      return `${shape.isMutable ? "Array" : "ReadonlyArray"}<${typeText(shape.item, style)}>`
    case "Tuple": {
      const items = shape.items.map((item) => `(${typeText(item.shape, style)})${item.isOptional ? "?" : ""}`)
      return `${shape.isMutable ? "" : "readonly "}[${items.join(", ")}]`
    }
    case "Record":
      return `{ readonly [key: string]: ${typeText(shape.value, style)} }`
    case "Object":
      return shape.fields.length === 0
        ? "{}"
        : `{ ${shape.fields.map((field) => propertyText(field, style)).join("; ")} }`
    case "Union":
      return shape.members.map((member) => typeText(member, style)).join(" | ")
  }
}

const propertyText = ({ isOptional, name, shape }: Field, style: SchemaStyle): string =>
  `readonly ${keyText(name)}${isOptional ? "?" : ""}: ${typeText(shape, style)}${
    isOptional && style.optional === "optional" ? " | undefined" : ""
  }`
