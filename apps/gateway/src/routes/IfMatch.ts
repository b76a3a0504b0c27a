/** The precondition of a change, as RFC 9110 defines it. */

/** True if `If-Match` is satisfied: it is absent, `*`, or a list with the strong ETag. */
export const isSatisfied = (header: string | undefined, eTag: string): boolean =>
  header === undefined || header.trim() === "*" || header.split(",").some((one) => one.trim() === eTag)
