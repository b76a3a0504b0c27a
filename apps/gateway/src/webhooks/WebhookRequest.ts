/** One request to a webhook. Private, loopback and metadata addresses are refused unless the operator opened them. */
import * as Client from "@bough/network/Client"
import * as DnsResolver from "@bough/network/DnsResolver"
import * as Guard from "@bough/network/Guard"
import * as Limits from "@bough/network/Limits"
import * as Target from "@bough/network/Target"
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { version } from "../Version.ts"

export interface WebhookTarget {
  readonly host: string
  readonly port: number
}

export interface WebhookEgress {
  /** Receivers that the operator allowed at any address, also over http. */
  readonly allow: ReadonlyArray<WebhookTarget>
  /** The time limit for a receiver's response. */
  readonly answerMillis: number
  /** Resolves the names of receivers, for each message again. Default: the resolver of the machine. */
  readonly lookup?: DnsResolver.Lookup
}

const guardOf = ({ allow, lookup = DnsResolver.system }: WebhookEgress): Guard.Guard => ({
  lookup,
  listed: allow,
  grants: []
})

const limitsOf = ({ answerMillis }: WebhookEgress): Limits.Limits => ({
  ...Limits.standard,
  connectMillis: Math.min(answerMillis, Limits.standard.connectMillis),
  answerMillis,
  totalMillis: answerMillis
})

/** Returns why no request may be sent to that address; null if the known facts allow it. */
export const refusal = (egress: WebhookEgress, url: string): Effect.Effect<string | null> =>
  Effect.fromResult(Target.parse(url)).pipe(
    Effect.flatMap((target) =>
      Effect.map(Guard.admit(guardOf(egress), target), ({ basis: standing }) =>
        target.secure || standing === "listed" ? null : "use https"
      )
    ),
    Effect.catch((error) => Effect.succeed(error._tag === "PermissionDenied" ? error.message : null))
  )

/** Sends a message and returns the status of the response. Redirects are not followed. */
export const send = (
  egress: WebhookEgress,
  message: { readonly url: string; readonly body: string; readonly headers: Readonly<Record<string, string>> }
): Effect.Effect<number, ToolError.ToolError> =>
  Effect.fromResult(Target.parse(message.url)).pipe(
    Effect.flatMap((target) =>
      Client.withTimeout(
        egress.answerMillis,
        Client.sendForStatus({ guard: guardOf(egress), limits: limitsOf(egress) }, target, {
          method: "POST",
          url: message.url,
          headers: {
            ...message.headers,
            "content-type": "application/json",
            "user-agent": `bough-gateway/${version}`
          },
          body: Buffer.from(message.body)
        })
      )
    )
  )
