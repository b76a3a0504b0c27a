/**
 * Turns failures that no route declares into problems: requests that do not decode, a store that fails, defects. A host
 * or an origin that is not allowed, and the rate of an address, refuse a request before its route.
 */
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import {
  Forbidden,
  InternalError,
  InvalidRequest,
  PayloadTooLarge,
  TooManyRequests,
  Unavailable,
  UnsupportedMediaType
} from "./Problem.ts"

export class Failures extends HttpApiMiddleware.Service<Failures>()("@bough/gateway-api/Failures", {
  error: [InvalidRequest, Forbidden, PayloadTooLarge, UnsupportedMediaType, TooManyRequests, InternalError, Unavailable]
}) {}
