/** The reports of a process about itself, a line each. */
export type Fact =
  | { readonly _tag: "Writes"; readonly name: string }
  /** The approval was shown to a user. */
  | { readonly _tag: "Asked"; readonly approvalId: string }
  /** A decision that this process stored is durable. */
  | { readonly _tag: "Decided"; readonly approvalId: string }

export type When = "before" | "after"
