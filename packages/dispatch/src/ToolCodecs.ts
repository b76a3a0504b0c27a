/**
 * The codecs that the dispatcher derives from a tool, once: decoders, encoders, the schema as text. They live as long
 * as the tool.
 */
import type { Session, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import { Capability, ToolSchema } from "@bough/tool"
import * as BoundedIssues from "@bough/tool/BoundedIssues"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import * as Issues from "./internal/Issues.ts"
import * as NotJson from "./internal/NotJson.ts"
import { schemaText } from "./internal/schemaText.ts"

type Parse = (value: unknown) => Result.Result<unknown, SchemaIssue.Issue>

export interface ToolCodecs {
  /** The labels that a session gets from the tool's capabilities. */
  readonly labels: ReadonlyArray<Session.Label>
  /** True if the schema has no fields. */
  readonly takesNothing: boolean
  /** Decodes the JSON form of the arguments. */
  readonly decodeParameters: Parse
  readonly encodeParameters: Parse
  /** Encodes the output into its JSON form. */
  readonly encodeOutput: Parse
  /** Encodes an output, and drops keys that the schema does not declare. */
  readonly encodeOutputLeniently: Parse
  /** Compiles the encoder of outputs in advance, so that the first result does not wait for it. */
  readonly prepareOutput: () => void
  /** JSON Schema of the arguments, as text of bounded length. */
  readonly schemaText: () => string
  /** Dotted names of the arguments and of the fields nested in them, which rules may refer to. */
  readonly fieldNames: () => ReadonlyArray<string>
  /** The names of those fields that are declared as paths. */
  readonly pathFields: () => ReadonlySet<string>
  /** The default values of optional arguments. */
  readonly defaults: () => Readonly<Record<string, unknown>>
}

const compiled = new WeakMap<Tool.Any, ToolCodecs>()

export const codecsOf = (tool: Tool.Any): ToolCodecs => {
  const known = compiled.get(tool)
  if (known !== undefined) return known
  const codecs = compile(tool)
  compiled.set(tool, codecs)
  return codecs
}

const compile = (tool: Tool.Any): ToolCodecs => {
  const parameters = json(tool.parameters)
  const ownFields = ToolSchema.ownFields(tool.parameters)
  const decode = BoundedIssues.boundIssues(SchemaParser.decodeUnknownResult(parameters), "error")
  const properties = once(() => propertiesOf(ToolSchema.parameters(tool)))
  const encodesOutput = once(() => encodeOutput(tool, "error"))
  return {
    labels: Capability.labelsOf(tool.capabilities),
    takesNothing: isEmpty(tool.parameters.ast),
    decodeParameters: (value) => Result.map(decode(ownFields(value)), ownFields),
    // Unknown keys were already refused by the decoder.
    encodeParameters: isOwnForm(parameters.ast) ? Result.succeed : SchemaParser.encodeUnknownResult(parameters),
    encodeOutput: (value) => encodesOutput()(value),
    encodeOutputLeniently: once1(() => encodeOutput(tool, "ignore")),
    prepareOutput: () => void encodesOutput(),
    schemaText: once(() => schemaText(ToolSchema.parameters(tool))),
    fieldNames: once(() => namesOf(properties(), "")),
    pathFields: once(() => new Set(pathsOf(properties(), ""))),
    defaults: once(() =>
      Object.fromEntries(
        Object.entries(properties()).flatMap(([name, property]) =>
          "default" in property ? [[name, property["default"]]] : []
        )
      )
    )
  }
}

const encodeOutput = (tool: Tool.Any, onExcessProperty: "error" | "ignore"): Parse => {
  const codec = json(tool.output)
  const ownFields = ToolSchema.ownFields(tool.output)
  const parse = BoundedIssues.boundIssues(SchemaParser.encodeUnknownResult(codec), onExcessProperty)
  const encode: Parse = (value) => parse(ownFields(value))
  if (!NotJson.takesAny(SchemaAST.toEncoded(codec.ast))) return encode
  return (value) =>
    Result.flatMap(encode(value), (encoded) => {
      const issue = NotJson.issueOf(encoded)
      return issue === null ? Result.succeed(encoded) : Result.fail(issue)
    })
}

/** The issues of invalid arguments, by dotted path. */
export const issuesOf = (issue: SchemaIssue.Issue): ReadonlyArray<ToolError.Issue> =>
  Issues.limitIssues(Issues.flatten(issue))

/** The JSON codec of a schema. A tool's schemas need no services, which the general type `Codec` cannot express. */
const json = (schema: Tool.Codec): Schema.Codec<unknown, Schema.Json> =>
  Schema.toCodecJson(schema) as Schema.Codec<unknown, Schema.Json>

/** True if a decoded value is its own JSON form: the schema has no default and no transformation. */
const isOwnForm = (ast: SchemaAST.AST): boolean => SchemaAST.toType(ast) === ast && SchemaAST.toEncoded(ast) === ast

const isEmpty = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Objects" && ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const propertiesOf = (schema: Readonly<Record<string, unknown>>): Properties =>
  (schema["properties"] ?? {}) as Properties

const namesOf = (properties: Properties, prefix: string): ReadonlyArray<string> =>
  Object.entries(properties).flatMap(([name, property]) =>
    [prefix + name].concat(namesOf(propertiesOf(property), `${prefix}${name}.`))
  )

/** A list is a path field if its items are paths. */
const pathsOf = (properties: Properties, prefix: string): ReadonlyArray<string> =>
  Object.entries(properties).flatMap(([name, property]) => {
    const item = (property["items"] ?? property) as Properties[string]
    const ownPaths = item["format"] === "path" ? [prefix + name] : []
    return ownPaths.concat(pathsOf(propertiesOf(item), `${prefix}${name}.`))
  })

const once = <A>(make: () => A): (() => A) => {
  let cached: { readonly value: A } | null = null
  return () => (cached ??= { value: make() }).value
}

const once1 = (make: () => Parse): Parse => {
  const lazyCodec = once(make)
  return (value) => lazyCodec()(value)
}
