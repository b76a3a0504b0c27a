/** A list that a command of the conversation prints. */

/** Names with a description each; "" as the name of a sentence alone. */
export type Listing = ReadonlyArray<readonly [name: string, text: string]>
