/** Decides by the session's rules whether a request may be made or a redirect followed, before a host is resolved. */
import type { ToolError } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Refusal from "./Refusal.ts"
import type { Target } from "./Target.ts"

type PassageCheck = Effect.Effect<void, ToolError.PermissionDenied>

export const admit = (passage: ToolContext.Passage, { url }: Target): PassageCheck => {
  const refusal = passage(url.href, false)
  return refusal === null ? Effect.void : Effect.fail(Refusal.deny("Host", `${url.href}: ${refusal}`))
}

/** Admits a redirect; a redirect from an encrypted connection to an unencrypted one is refused. */
export const redirect = (passage: ToolContext.Passage, from: Target, to: Target): PassageCheck => {
  const step = `${from.url.href} leads to ${to.url.href}, which was not followed`
  if (from.secure && !to.secure) {
    return Effect.fail(
      Refusal.deny("Downgrade", `${step}: it is not encrypted; ask for that address itself if it will do`)
    )
  }
  const refusal = passage(to.url.href, true)
  return refusal === null ? Effect.void : Effect.fail(Refusal.deny("Redirect", `${step}: ${refusal}`))
}
