/** A list that a command of the conversation prints. */

/** Names, and what there is to say of each; "" as a name for a sentence alone. */
export type Listing = ReadonlyArray<readonly [name: string, text: string]>
