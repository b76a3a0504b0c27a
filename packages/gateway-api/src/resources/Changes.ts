/** The files that a session and all below it changed, with their differences. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, RequiredScope } from "../Authorization.ts"
import { limits } from "../Limits.ts"
import * as Page from "../Page.ts"
import { NotFound } from "../Problem.ts"
import { sessionParams } from "./Sessions.ts"

export const ChangedFile = Schema.Struct({
  path: Schema.String,
  change: Schema.Literals(["added", "modified", "deleted"]),
  /** Sizes before and after; null: the file is not there. */
  bytesBefore: Schema.NullOr(Schema.Natural),
  bytesAfter: Schema.NullOr(Schema.Natural),
  /** A change beside the content, such as another mode; null: there is none. */
  note: Schema.NullOr(Schema.String),
  /** The unified difference, of which known secrets are hidden; without hunks where the file is no text, or too long. */
  diff: Schema.String,
  /** True: the difference was cut. */
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
     * Changed files in the order of their paths, from before the first of the tree's calls that wrote until after the last; with `turn` from before that turn of the Main.
     * What was undone is left out, and so are files that no state of the workspace records.
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
