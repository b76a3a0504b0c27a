/** Where the words of a session come from: what a person, a configuration or a search gave, and who told it what. */
import type { Session } from "@bough/protocol"

export interface Provenance {
  /** Whether it is an address, as it would be sent, that was given to the session. */
  readonly isGivenAddress: (url: string) => boolean
  /** Whether a person named the host or agreed to it; a key as `HostRule.keyOf` makes it. */
  readonly isAgreedHost: (host: string) => boolean
  /** Whether it stands word for word in what was given to the session. */
  readonly isGivenText: (text: string) => boolean
  /** Which calls brought what carries the label, for people; "" where none is known. */
  readonly sourcesOf: (label: Session.Label) => string
}

/** Of a caller that was given everything: a person, a program. */
export const given: Provenance = {
  isGivenAddress: () => true,
  isAgreedHost: () => true,
  isGivenText: () => true,
  sourcesOf: () => ""
}
