/**
 * Reads the results of `classify`, `preview` and `findExisting` into plain data; a result that does not fit its schema
 * is the tool's bug.
 */
import { Approval, Tier } from "@bough/protocol"
import { Grant, type Tool } from "@bough/tool"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import * as HandlerResult from "./HandlerResult.ts"
import * as Issues from "./internal/Issues.ts"

const Fact = Schema.Struct({ key: Schema.NonEmptyString, digest: Schema.String })

const Classification = Schema.Struct({
  tier: Tier.Tier,
  facts: Schema.optional(Schema.Array(Fact)),
  reason: Schema.optional(Schema.String),
  grants: Schema.optional(Schema.Array(Grant.Grant)),
  everyTime: Schema.optional(Schema.String)
})

const reader =
  <A>(decode: (answer: unknown) => Result.Result<A, SchemaIssue.Issue>) =>
  (answer: unknown): Result.Result<A, string> =>
    Result.mapError(decode(answer), (issue) => Issues.summary(Issues.flatten(issue)))

/** An unknown tier allows nothing. */
export const classification: (answer: unknown) => Result.Result<Tool.Classification, string> = (answer) =>
  Result.map(decodeClassification(answer), ({ everyTime, facts, grants, reason, tier }) => ({
    tier,
    ...(facts === undefined ? {} : { facts }),
    ...(everyTime === undefined ? {} : { everyTime }),
    ...(reason === undefined ? {} : { reason }),
    ...(grants === undefined ? {} : { grants })
  }))

const decodeClassification = reader(SchemaParser.decodeUnknownResult(Classification))

/** Reads a preview; a pack's own facts may have no tag. */
export const preview = (answer: unknown): Result.Result<Approval.Preview, string> =>
  Result.map(decodePreview(answer), ({ preconditions, render }) => ({
    render,
    preconditions: preconditions.map((one) => ("_tag" in one ? one : { _tag: "Fact" as const, ...one }))
  }))

const decodePreview = reader(
  SchemaParser.decodeUnknownResult(
    Schema.Struct({
      render: Schema.String,
      preconditions: Schema.Array(Schema.Union([Approval.Precondition, Fact]))
    })
  )
)

/** Reads the result of an existing effect; null: the effect does not exist. */
export const findExisting =
  (tool: Tool.Any) =>
  (answer: unknown): Result.Result<Tool.ToolResult<unknown> | null, string> =>
    answer === null
      ? Result.succeed(null)
      : Result.map(HandlerResult.read(tool, answer), () => answer as Tool.ToolResult<unknown>)
