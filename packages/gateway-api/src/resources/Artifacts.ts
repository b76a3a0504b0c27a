/** Files and long outputs that the calls of a session made. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Page from "../Page.ts"
import { NotFound } from "../Problem.ts"
import { Download } from "./Files.ts"
import { sessionParams } from "./Sessions.ts"

/** The entry of the journal that ended the call, and the position in it. */
export const ArtifactId = Schema.String.check(
  Schema.isPattern(/^(0|[1-9]\d{0,14})-(output|text|(file|image)-(0|[1-9]\d{0,5}))$/u)
)

export const Artifact = Schema.Struct({
  id: ArtifactId,
  /** The entry that ended the call. */
  sequence: Schema.Natural,
  tool: Schema.String,
  /**
   * `file`: a file that the call wrote, while it is unchanged in the workspace; `sent`: a workspace file that the call
   * sent to the user, with its current content; `output` and `text`: the full text that the journal truncates; `image`:
   * an image of the result.
   */
  kind: Schema.Literals(["file", "sent", "output", "text", "image"]),
  /** The path in the workspace, or a generated name. */
  name: Schema.String,
  /** Null: the size is only known with the download. */
  bytes: Schema.NullOr(Schema.Natural)
}).annotate({ identifier: "Artifact" })
export type Artifact = typeof Artifact.Type

const fromSeq = Schema.FiniteFromString.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(0))

export class ArtifactsApi extends HttpApiGroup.make("artifacts")
  .add(
    /**
     * Lists artifacts in the order of the journal, from the entry `fromSeq` on. A page may be short or empty even if
     * `nextSeq` continues.
     */
    HttpApiEndpoint.get("list", "/:sessionId/artifacts", {
      params: sessionParams,
      query: { fromSeq: Schema.optionalKey(fromSeq), limit: Page.limit },
      success: Schema.Struct({ items: Schema.Array(Artifact), nextSeq: Schema.NullOr(Schema.Natural) }),
      error: NotFound
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.get("download", "/:sessionId/artifacts/:artifactId", {
      params: { ...sessionParams, artifactId: ArtifactId },
      success: Download,
      error: NotFound
    }).annotate(RequiredScope, "read")
  )
  .middleware(Authorization)
  .prefix("/api/v1/sessions") {}
