/** What a process says of itself, a line each. */
export type Fact =
  | { readonly _tag: "Writes"; readonly name: string }
  /** A person was shown a request. */
  | { readonly _tag: "Asked"; readonly approvalId: string }
  /** A decision that this process stored is durable. */
  | { readonly _tag: "Decided"; readonly approvalId: string }

export type When = "before" | "after"
