/** Folders in which sessions work: created empty with a session, or from an uploaded archive. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import * as Page from "../Page.ts"
import {
  Conflict,
  NotFound,
  PayloadTooLarge,
  TooManyRequests,
  Unprocessable,
  UnsupportedMediaType
} from "../Problem.ts"
import { Upload } from "./Files.ts"

const WorkspaceId = Schema.NonEmptyString.check(Schema.isMaxLength(100))

export const Workspace = Schema.Struct({
  id: WorkspaceId,
  /** The size of the uploaded files, which counts towards the tenant's storage. 0: the workspace was created empty. */
  uploadedBytes: Schema.Natural,
  createdAtMillis: Schema.Natural
}).annotate({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

const workspaceParams = { workspaceId: WorkspaceId }

export class WorkspacesApi extends HttpApiGroup.make("workspaces")
  .add(
    /** Lists the workspaces, newest first. */
    HttpApiEndpoint.get("list", "/", {
      query: { limit: Page.limit, cursor: Page.cursor },
      success: Page.pageOf(Workspace)
    }).annotate(RequiredScope, "read"),
    /**
     * Creates a workspace from the body, an archive of files and folders (`tar`, `tar.gz` or `zip`). An archive with
     * links, devices, absolute paths, `..` or a repeated file is refused as a whole, and so is an archive that is too
     * large when expanded.
     */
    HttpApiEndpoint.post("upload", "/", {
      headers: Idempotency.headers,
      payload: Upload,
      success: Workspace.pipe(HttpApiSchema.status(201)),
      error: [Conflict, PayloadTooLarge, UnsupportedMediaType, Unprocessable, TooManyRequests]
    }).annotate(RequiredScope, "chat"),
    HttpApiEndpoint.get("get", "/:workspaceId", {
      params: workspaceParams,
      success: Workspace,
      error: NotFound
    }).annotate(RequiredScope, "read"),
    /**
     * Deletes a workspace with its files. If sessions work in the workspace, it is deleted with the last of them.
     */
    HttpApiEndpoint.delete("remove", "/:workspaceId", {
      params: workspaceParams,
      headers: Idempotency.headers,
      error: [NotFound, Conflict]
    })
      .annotate(RequiredScope, "chat")
      .middleware(Idempotency.Idempotency)
  )
  .middleware(Authorization)
  .prefix("/api/v1/workspaces") {}
