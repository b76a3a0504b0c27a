/** Writes the Effect Schema of a type of TypeScript, as its checker sees the type. */
import {
  type Checker,
  type Symbol as TypeSymbol,
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags
} from "typescript/unstable/sync"

/** Thrown where a type has no schema; the message says which part. */
export class UnsupportedType extends Error {}

const quote = (text: string): string => JSON.stringify(text)

/** The schema with a description, if there is one. */
export const described = (schema: string, description: string): string =>
  description === "" ? schema : `${schema}.annotate({ description: ${quote(description)} })`

/** The checker, and the types that hold the one that is read. */
export interface TypeReader {
  readonly checker: Checker
  readonly outer: ReadonlyArray<Type>
  /** Schemas by the id of their type: each question to the checker is a message to its process. */
  readonly known: Map<number, string>
}

/** `path` is the part of the parameter that messages name. */
export const schemaText = (reader: TypeReader, type: Type, path: string): string => {
  const found = reader.known.get(type.id)
  if (found !== undefined) return found
  const made = writtenText(reader, type, path)
  reader.known.set(type.id, made)
  return made
}

const writtenText = ({ checker, known, outer }: TypeReader, type: Type, path: string): string => {
  if (outer.some(({ id }) => id === type.id)) throw new UnsupportedType(`${path} holds itself`)
  const reader = { checker, known, outer: [...outer, type] }
  const { flags } = type
  if (type.isErrorType()) throw new UnsupportedType(`${path} has a type that is not found`)
  if (type.isUnionType()) return unionText(reader, type.getTypes(), path)
  if (type.isLiteralType()) return `Schema.Literal(${literalText(type.value, path)})`
  if ((flags & TypeFlags.String) !== 0) return "Schema.String"
  if ((flags & TypeFlags.Number) !== 0) return "Schema.Finite"
  if ((flags & TypeFlags.Boolean) !== 0) return "Schema.Boolean"
  if ((flags & TypeFlags.Null) !== 0) return "Schema.Null"
  if ((flags & TypeFlags.Object) === 0) throw unsupported(checker, type, path)
  if (checker.isArrayType(type)) return arrayText(reader, type, path)
  return objectText(reader, type, path)
}

const unsupported = (checker: Checker, type: Type, path: string): UnsupportedType =>
  new UnsupportedType(`${path} is of type ${checker.typeToString(type)}, which has no JSON form`)

const literalText = (value: unknown, path: string): string => {
  if (typeof value === "bigint" || (typeof value === "object" && value !== null)) {
    throw new UnsupportedType(`${path} is a bigint, which has no JSON form`)
  }
  return JSON.stringify(value)
}

const unionText = (reader: TypeReader, all: ReadonlyArray<Type>, path: string): string => {
  const members = all.filter(({ flags }) => (flags & TypeFlags.Undefined) === 0)
  const literals = members.filter((member) => member.isLiteralType())
  const booleans = literals.filter((member) => typeof member.value === "boolean")
  const others = members.filter((member) => !literals.some(({ id }) => id === member.id))
  // The checker orders literals as it met them: sorted, the output does not depend on other files.
  const values = literals
    .filter((member) => booleans.length < 2 || typeof member.value !== "boolean")
    .map(({ value }) => literalText(value, path))
    .toSorted()
  const parts = [
    ...(values.length === 0
      ? []
      : [values.length === 1 ? `Schema.Literal(${values[0]})` : `Schema.Literals([${values.join(", ")}])`]),
    ...(booleans.length === 2 ? ["Schema.Boolean"] : []),
    ...others.map((member) => schemaText(reader, member, path)).toSorted()
  ]
  return parts.length === 1 ? (parts[0] ?? "") : `Schema.Union([${parts.join(", ")}])`
}

const arrayText = (reader: TypeReader, type: Type, path: string): string => {
  const { checker } = reader
  const item = type.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined
  if (item === undefined) throw unsupported(checker, type, path)
  const text = `Schema.Array(${schemaText(reader, item, `${path}[]`)})`
  return type.getSymbol()?.name === "ReadonlyArray" ? text : `Schema.mutable(${text})`
}

const objectText = (reader: TypeReader, type: Type, path: string): string => {
  const { checker } = reader
  const isCallable =
    checker.getSignaturesOfType(type, SignatureKind.Call).length > 0 ||
    checker.getSignaturesOfType(type, SignatureKind.Construct).length > 0
  if (isCallable || type.isTupleType() || checker.isTupleType(type)) throw unsupported(checker, type, path)
  const properties = checker.getPropertiesOfType(type)
  const [index] = checker.getIndexInfosOfType(type)
  if (index !== undefined) {
    if (properties.length > 0) throw new UnsupportedType(`${path} has both named and free keys`)
    return `Schema.Record(Schema.String, ${schemaText(reader, index.valueType, `${path}[]`)})`
  }
  if (properties.some(({ flags }) => (flags & SymbolFlags.Method) !== 0)) throw unsupported(checker, type, path)
  return structText(
    properties.map((property) => ({
      name: property.name,
      schema: propertyText(reader, property, `${path}.${property.name}`)
    }))
  )
}

const propertyText = (reader: TypeReader, property: TypeSymbol, path: string): string => {
  const { checker } = reader
  const type = checker.getTypeOfSymbol(property)
  if (type === undefined) throw new UnsupportedType(`${path} has a type that is not found`)
  const schema = described(schemaText(reader, type, path), property.getDocumentationComment(checker).trim())
  return (property.flags & SymbolFlags.Optional) === 0 ? schema : `Schema.optionalKey(${schema})`
}

export interface Field {
  readonly name: string
  readonly schema: string
}

/** A struct of these fields, in their order. */
export const structText = (fields: ReadonlyArray<Field>): string =>
  fields.length === 0
    ? "Schema.Struct({})"
    : `Schema.Struct({ ${fields.map(({ name, schema }) => `${/^[A-Za-z_$][\w$]*$/u.test(name) ? name : quote(name)}: ${schema}`).join(", ")} })`
