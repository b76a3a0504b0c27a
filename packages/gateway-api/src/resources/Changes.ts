/** The files that a session and its descendants changed, with their diffs. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import { limits } from "../Limits.ts"
import * as Page from "../Page.ts"
import { NotFound } from "../Problem.ts"
import { sessionParams } from "./Sessions.ts"

export const ChangedFile = Schema.Struct({
  path: Schema.String,
  change: Schema.Literals(["added", "modified", "deleted"]),
  /** Sizes before and after; null: the file does not exist. */
  bytesBefore: Schema.NullOr(Schema.Natural),
  bytesAfter: Schema.NullOr(Schema.Natural),
  /** A change other than of the content, such as of the mode; null: there is none. */
  note: Schema.NullOr(Schema.String),
  /** The unified diff with known secrets redacted; without hunks if the file is not text, or is too long. */
  diff: Schema.String,
  /** True: the diff was cut. */
  truncated: Schema.Boolean
}).annotate({ identifier: "ChangedFile" })
export type ChangedFile = typeof ChangedFile.Type

const turn = Schema.FiniteFromString.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(0))
const limit = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isGreaterThanOrEqualTo(1),
  Schema.isLessThanOrEqualTo(limits.changesPageSize)
)

export class ChangesApi extends HttpApiGroup.make("changes")
  .add(
    /**
     * Lists changed files by path. Compares the state before the first writing call of the tree, or with `turn` before
     * that turn of the Main, with the state after the last one. Undone changes are left out, as are files that are in
     * no snapshot of the workspace.
     */
    HttpApiEndpoint.get("list", "/:sessionId/changes", {
      params: sessionParams,
      query: { turn: Schema.optionalKey(turn), limit: Schema.optionalKey(limit), cursor: Page.cursor },
      success: Page.pageOf(ChangedFile),
      error: NotFound
    }).annotate(RequiredScope, "read")
  )
  .middleware(Authorization)
  .prefix("/api/v1/sessions") {}
