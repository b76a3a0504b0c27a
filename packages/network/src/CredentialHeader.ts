/** Which request headers prove who asks. Pure. */

const credentialWord =
  /^(?:auth|authentication|authorization|authenticate|bearer|cookie2?|credentials?|jwt|passwd|password|secret|session|sessionid|token|[a-z]*(?:api)?key)$/u

/** Of something that is stored or counted, not of a person or a program. */
const openKeys: ReadonlySet<string> = new Set(["cache-key", "idempotency-key", "partition-key", "surrogate-key"])

/** Whether a header of this name is to prove who asks. */
export const isCredential = (name: string): boolean =>
  !openKeys.has(name.toLowerCase().replace(/^x-/u, "")) &&
  name
    .toLowerCase()
    .split(/[-_.]/u)
    .some((word) => credentialWord.test(word))
