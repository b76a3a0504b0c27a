/** Reads the JSON form of a type from the checker. */
import type { Node } from "typescript/unstable/ast"
import {
  type Checker,
  ElementFlags,
  SignatureKind,
  SymbolFlags,
  type Symbol as TypeSymbol,
  type Type,
  TypeFlags
} from "typescript/unstable/sync"
import * as DocComment from "./DocComment.ts"
import * as Shape from "./Shape.ts"
import { UnsupportedType } from "./UnsupportedType.ts"

/**
 * The direction of a type: a parameter is decoded from JSON, a result is encoded as JSON. A branded type can be encoded
 * but not decoded.
 */
export type Side = "Parameter" | "Result"

/** The checker, with a cache of its types. */
export interface TypeReader {
  readonly checker: Checker
  /** Shapes by the id of their type. They are cached, because each query of the checker is a message to its process. */
  readonly known: Readonly<Record<Side, Map<number, Shape.Shape>>>
  /** The text before a declaration, which contains its doc comment; null: the source is unavailable. */
  readonly triviaOf: (node: Node) => string | null
}

interface ShapeReader extends TypeReader {
  readonly side: Side
  /** The types that contain the type being read. */
  readonly outer: ReadonlyArray<Type>
}

export interface At {
  /** The path in the parameter, for messages. */
  readonly path: string
  /** True if the value may be left out, and so be undefined. */
  readonly isOptional: boolean
}

export const readShape = (reader: TypeReader, type: Type, { side, ...at }: At & { readonly side: Side }): Shape.Shape =>
  shapeOf({ ...reader, side, outer: [] }, type, at)

const shapeOf = (reader: ShapeReader, type: Type, at: At): Shape.Shape => {
  const known = reader.known[reader.side]
  const found = known.get(type.id)
  if (found !== undefined) return found
  if (reader.outer.some(({ id }) => id === type.id)) {
    throw new UnsupportedType(`${at.path} holds itself`, "write the levels out, or take the inner part as JSON text")
  }
  const shape = shapeAsWritten({ ...reader, outer: [...reader.outer, type] }, type, at)
  // A union with undefined is supported only for a value that may be left out.
  if (!at.isOptional) known.set(type.id, shape)
  return shape
}

const shapeAsWritten = (reader: ShapeReader, type: Type, at: At): Shape.Shape => {
  const { checker } = reader
  const { path } = at
  const { flags } = type
  if (type.isErrorType())
    throw new UnsupportedType(`${path} has a type that is not found`, "import or declare the type")
  if (type.isUnionType()) return unionOf(reader, type.getTypes(), at)
  if (type.isLiteralType()) return literalOf(type.value, flags, path)
  if ((flags & TypeFlags.String) !== 0) return Shape.text
  if ((flags & TypeFlags.Number) !== 0) return Shape.number
  if ((flags & TypeFlags.Boolean) !== 0) return Shape.boolean
  if ((flags & TypeFlags.Null) !== 0) return Shape.nullShape
  if ((flags & (TypeFlags.Undefined | TypeFlags.Void)) !== 0) throw undefinedAt(path)
  if (type.isIntersectionType()) return intersectionOf(reader, type, path)
  if ((flags & TypeFlags.Object) === 0) throw unsupported(checker, type, path)
  if (type.isTupleType() || checker.isTupleType(type)) return tupleOf(reader, type, path)
  if (checker.isArrayType(type)) return arrayOf(reader, type, path)
  return objectOf(reader, type, path)
}

const undefinedAt = (path: string): UnsupportedType =>
  new UnsupportedType(
    `${path} may be undefined, which JSON lacks`,
    `write null instead, or ? at the name of what may be left out`
  )

const hints: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Date$/u, "take and return an ISO text (string), and make the Date inside"],
  [/^(?:Readonly)?(?:Map|WeakMap)\b/u, "write Record<string, …>, or an array of pairs"],
  [/^(?:Readonly)?(?:Set|WeakSet)\b/u, "write an array"],
  [/^(?:bigint|\d+n)$/u, "write number, or string for more than 53 bits"],
  [/^(?:any|unknown|object|never|\{\})$/u, "write the types that it may have"],
  [/^(?:String|Number|Boolean)$/u, "write its name in lower case"],
  [
    /^(?:Buffer|DataView|(?:Shared)?ArrayBuffer|(?:Big)?(?:Ui|I)nt\d+(?:Clamped)?Array|Float\d+Array|Blob|File)\b/u,
    "write a base64 text (string), or the path of a file"
  ],
  [/^(?:URL|RegExp)$/u, "write a text (string), and parse it inside"],
  [/^symbol|^unique symbol/u, "write literals of text"],
  [/^`/u, "write string, and check its form inside"],
  [/=>/u, "a model has no functions to give: write data"]
]

const hintFor = (name: string): string | undefined => hints.find(([pattern]) => pattern.test(name))?.[1]

const unsupported = (checker: Checker, type: Type, path: string): UnsupportedType => {
  const name = checker.typeToString(type)
  const fix = hintFor(name) ?? "use text, numbers, booleans, null, literals, arrays, tuples and objects of them"
  return new UnsupportedType(`${path} is of type ${name}, which has no JSON form`, fix)
}

const literalOf = (value: unknown, flags: TypeFlags, path: string): Shape.Shape => {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    throw new UnsupportedType(`${path} is a bigint, which has no JSON form`, "write number or string")
  }
  if (typeof value !== "boolean" && (flags & TypeFlags.EnumLiteral) !== 0) return { _tag: "Enum", values: [value] }
  return Shape.literal(value)
}

const unionOf = (reader: ShapeReader, members: ReadonlyArray<Type>, at: At): Shape.Shape => {
  const present = members.filter(({ flags }) => (flags & (TypeFlags.Undefined | TypeFlags.Void)) === 0)
  if (present.length < members.length && !at.isOptional) throw undefinedAt(at.path)
  const shapes = present.map((member) => shapeOf(reader, member, { path: at.path, isOptional: false }))
  return Shape.union(shapes)
}

const arrayOf = (reader: ShapeReader, type: Type, path: string): Shape.Shape => {
  const item = type.isTypeReference() ? reader.checker.getTypeArguments(type)[0] : undefined
  if (item === undefined) throw unsupported(reader.checker, type, path)
  return Shape.array(
    shapeOf(reader, item, { path: `${path}[]`, isOptional: false }),
    type.getSymbol()?.name !== "ReadonlyArray"
  )
}

const tupleOf = (reader: ShapeReader, type: Type, path: string): Shape.Shape => {
  const { checker } = reader
  const target = type.isTypeReference() ? type.getTarget() : type
  if (!type.isTypeReference() || !target.isTupleType()) throw unsupported(checker, type, path)
  const { elementFlags, readonly } = target
  if (elementFlags.some((flags) => (flags & (ElementFlags.Rest | ElementFlags.Variadic)) !== 0)) {
    throw new UnsupportedType(`${path} is a tuple with a rest`, "write an array, or an object with named parts")
  }
  const items = checker.getTypeArguments(type).slice(0, elementFlags.length)
  return {
    _tag: "Tuple",
    isMutable: !readonly,
    items: items.map((item, index) => {
      const isOptional = ((elementFlags[index] ?? 0) & ElementFlags.Optional) !== 0
      return { shape: shapeOf(reader, item, { path: `${path}[${index}]`, isOptional }), isOptional }
    })
  }
}

const intersectionOf = (reader: ShapeReader, type: Type, path: string): Shape.Shape => {
  const { checker } = reader
  const parts = type.isIntersectionType() ? type.getTypes() : []
  const plain = parts.find(({ flags }) => (flags & TypeFlags.Object) === 0)
  if (plain !== undefined) {
    // Matches `string & {}`, a string that editors do not merge with literals of the same union.
    const isBare = parts.every((part) => part === plain || checker.getPropertiesOfType(part).length === 0)
    if (isBare || reader.side === "Result") return shapeOf(reader, plain, { path, isOptional: false })
    throw new UnsupportedType(
      `${path} is the branded type ${checker.typeToString(type)}: nothing checks its brand`,
      "take the plain type, and check and brand it inside"
    )
  }
  return objectOf(reader, type, path)
}

const objectOf = (reader: ShapeReader, type: Type, path: string): Shape.Shape => {
  const { checker } = reader
  const isCallable =
    checker.getSignaturesOfType(type, SignatureKind.Call).length > 0 ||
    checker.getSignaturesOfType(type, SignatureKind.Construct).length > 0
  if (isCallable) throw unsupported(checker, type, path)
  const properties = inOrder(checker.getPropertiesOfType(type))
  const [index, ...others] = checker.getIndexInfosOfType(type)
  if (index !== undefined) {
    if (hintFor(checker.typeToString(type)) !== undefined) throw unsupported(checker, type, path)
    if (properties.length > 0 || others.length > 0 || (index.keyType.flags & TypeFlags.String) === 0) {
      throw new UnsupportedType(
        `${path} has both named and free keys, or keys that are not any text`,
        "write Record<string, …> as a property of its own"
      )
    }
    return { _tag: "Record", value: shapeOf(reader, index.valueType, { path: `${path}[]`, isOptional: false }) }
  }
  if (properties.some(({ flags }) => (flags & (SymbolFlags.Method | SymbolFlags.Accessor)) !== 0)) {
    throw unsupported(checker, type, path)
  }
  if (((type.getSymbol()?.flags ?? 0) & SymbolFlags.Class) !== 0) {
    throw new UnsupportedType(`${path} is of the class ${checker.typeToString(type)}`, "write an interface of its data")
  }
  // TypeScript accepts any value for an object type without properties.
  if (properties.length === 0) throw unsupported(checker, type, path)
  const types = checker.getTypeOfSymbol(properties)
  return {
    _tag: "Object",
    fields: properties.map((property, at) => fieldOf(reader, property, { type: types[at], path }))
  }
}

/** Sorts the keys of a mapped type: they have no position in a source, and the checker orders them by encounter. */
const inOrder = (properties: ReadonlyArray<TypeSymbol>): ReadonlyArray<TypeSymbol> =>
  properties.some(({ declarations }) => declarations.length === 0)
    ? properties.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    : properties

const fieldOf = (
  reader: ShapeReader,
  property: TypeSymbol,
  { path, type }: { readonly type: Type | undefined; readonly path: string }
): Shape.Field => {
  const { name } = property
  const at = `${path}.${name}`
  if (type === undefined) throw new UnsupportedType(`${at} has a type that is not found`, "import or declare the type")
  if (name.startsWith("__@")) throw new UnsupportedType(`${path} has a symbol as a key`, "name the property by a text")
  if (name === "__proto__") {
    throw new UnsupportedType(`${at} has a name that JSON data cannot have`, "rename the property")
  }
  const isOptional = (property.flags & SymbolFlags.Optional) !== 0
  return {
    name,
    isOptional,
    shape: shapeOf(reader, type, { path: at, isOptional }),
    description: descriptionOf(reader, property)
  }
}

const descriptionOf = ({ checker, triviaOf }: ShapeReader, property: TypeSymbol): string => {
  const declaration = property.declarations[0]?.resolve()
  const trivia = declaration === undefined ? null : triviaOf(declaration)
  return trivia === null ? property.getDocumentationComment(checker).trim() : DocComment.fromTrivia(trivia).description
}
