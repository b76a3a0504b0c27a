/** The facts of packs that approvals depend on. */

/** A pack's own fact that an approval depends on: the approval lapses if `digest` has changed before the start. */
export interface Fact {
  readonly key: string
  readonly digest: string
}
