/**
 * Approves only the exact call that a user was shown: the digest of the judgement must equal that of the later request.
 */
import { type Approval, Canonical } from "@bough/protocol"
import type { Approve } from "./Options.ts"

type CoveredFacts = Pick<
  Approval.Request,
  "tool" | "version" | "tier" | "argumentsDigest" | "opensHost" | "preview" | "reaches"
>

/** Returns the digest of everything that an approval of the request covers. */
export const digestOf = ({ argumentsDigest, opensHost, preview, reaches, tier, tool, version }: CoveredFacts): string =>
  Canonical.digest(Canonical.stringify({ argumentsDigest, opensHost, preview, reaches, tier, tool, version }))

/**
 * Approves only the request whose judgement had this digest. Denies other arguments, another preview, a changed fact,
 * and a host that the running call requests.
 */
export const approveShown = (digest: string): Approve => {
  // A program without types may pass the judgement itself.
  if (typeof digest !== "string") {
    throw new TypeError('approveShown: pass the digest of a judgement whose decision is "ask", as in judgement.digest')
  }
  return (request) =>
    digestOf(request) === digest
      ? true
      : { denied: request.reaches === undefined ? changed : anotherHost(request.reaches) }
}

const changed = "this call differs from the approved one: make it again, and a new approval is requested"

const anotherHost = (url: string): string => `the approval was for the call, and not for ${url}, which it also requests`
