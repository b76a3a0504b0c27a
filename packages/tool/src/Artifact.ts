/** Effects of a call that a pack declares by its own kind; receipts record them in addition to Bough's own kinds. */
import type { Artifact } from "@bough/protocol"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import * as BoundedIssues from "./BoundedIssues.ts"

/** An artifact in the form that receipts store. */
export type DeclaredArtifact = Extract<Artifact.Artifact, { readonly _tag: "Declared" }>

/** Makes artifacts of one kind, and reads them from receipts. */
export interface Kind<Name extends string, Fields extends Schema.Struct.Fields> {
  (data: Schema.Struct<Fields>["Type"]): DeclaredArtifact
  readonly kind: Name
  /** The data of an artifact of this kind; null: it is of another kind, or invalid. */
  readonly read: (artifact: Artifact.Artifact) => Schema.Struct<Fields>["Type"] | null
}

/**
 * Declares a kind of artifact. The name has the namespace of its pack.
 *
 * `const RowsChanged = Artifact.make("acme/RowsChanged", { table: Schema.String, rows: Schema.Natural })`, and in a result
 * `artifacts: [RowsChanged({ table: "orders", rows: 3 })]`.
 */
export const make = <const Name extends string, const Fields extends Record<string, Schema.Codec<unknown, unknown>>>(
  kind: Name,
  fields: Fields
): Kind<Name, Fields> => {
  const wrong = faultOf(kind, fields)
  if (wrong !== null) throw new Error(`Artifact.make(${JSON.stringify(kind)}): ${wrong}`)
  const codec = Schema.toCodecJson(Schema.Struct(fields)) as Schema.Codec<unknown, Schema.Json>
  const encode = BoundedIssues.boundIssues(SchemaParser.encodeUnknownResult(codec), "error")
  const decode = SchemaParser.decodeUnknownResult(codec, { onExcessProperty: "error" })
  const declareArtifact = (data: unknown): DeclaredArtifact => {
    const encoded = encode(data)
    if (Result.isSuccess(encoded)) return { _tag: "Declared", kind, data: encoded.success }
    throw new Error(`${kind} does not fit its declaration: ${describe(encoded.failure)}`)
  }
  return Object.assign(declareArtifact, {
    kind,
    read: (artifact: Artifact.Artifact) => {
      if (artifact._tag !== "Declared" || artifact.kind !== kind) return null
      return Result.getOrNull(decode(artifact.data))
    }
  }) as never
}

const describe = SchemaIssue.makeFormatterDefault()

const faultOf = (kind: unknown, fields: unknown): string | null => {
  if (typeof kind !== "string" || !/^(?:[\w.@-]+\/)*[A-Za-z][A-Za-z0-9_]*$/u.test(kind)) {
    return 'the name is a word, with the namespace of its pack, as in "acme/RowsChanged"'
  }
  if (/^@?bough\//u.test(kind)) return "choose another namespace: this one is Bough's"
  const wrong = Object.entries(fields ?? {}).find(([, field]) => !Schema.isSchema(field))
  if (fields === null || typeof fields !== "object") return "its fields are missing, as in { table: Schema.String }"
  return wrong === undefined ? null : `${wrong[0]} must be a Schema of effect`
}
