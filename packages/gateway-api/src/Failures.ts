/** Turns failures that no route declares into problems: requests that do not decode, a store that fails, defects. */
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { InternalError, InvalidRequest, PayloadTooLarge, Unavailable, UnsupportedMediaType } from "./Problem.ts"

export class Failures extends HttpApiMiddleware.Service<Failures>()("@bough/gateway-api/Failures", {
  error: [InvalidRequest, PayloadTooLarge, UnsupportedMediaType, InternalError, Unavailable]
}) {}
