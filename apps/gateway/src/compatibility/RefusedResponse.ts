/** Responses for requests that are refused before a stream begins, for protocols without HTTP errors. */
import { Problem } from "@bough/gateway-api"
import * as HttpServerRespondable from "effect/http/HttpServerRespondable"
import type { RequestRefused } from "./RequestBody.ts"
import type { TurnRefused } from "./TurnRefused.ts"

/** The problem with which a refused request is answered; null: the protocol reports it in its own form. */
export const fromRefusal = (error: RequestRefused | TurnRefused) => {
  const { message: detail, reason } = error
  switch (reason) {
    case "unauthenticated":
      return HttpServerRespondable.toResponse(new Problem.Unauthenticated({ detail }))
    case "forbidden":
    case "scope_missing":
      return HttpServerRespondable.toResponse(new Problem.Forbidden({ code: "scope_missing", detail }))
    case "rate_limited": {
      const retryAfterSeconds = error.retryAfterSeconds ?? 5
      return HttpServerRespondable.toResponse(
        new Problem.TooManyRequests({ code: "rate_limited", detail, retryAfterSeconds })
      )
    }
    case "too_many_streams": {
      const limited = { code: "quota_exceeded", quota: "streams", detail, retryAfterSeconds: 5 } as const
      return HttpServerRespondable.toResponse(new Problem.TooManyRequests(limited))
    }
    case "payload_too_large":
      return HttpServerRespondable.toResponse(new Problem.PayloadTooLarge({ detail }))
    case "unsupported_media_type":
      return HttpServerRespondable.toResponse(new Problem.UnsupportedMediaType({ detail }))
    case "invalid_json":
    case "not_found":
    case "approval_not_found":
    case "session_busy":
    case "session_exists":
    case "not_a_step_boundary":
    case "quota_exceeded":
    case "unknown_agent":
      return null
  }
}
