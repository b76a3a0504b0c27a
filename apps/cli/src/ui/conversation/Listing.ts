/** A list that a command of the conversation prints. */

/** Names with a description each; an item that is only a sentence has the name "". */
export type Listing = ReadonlyArray<readonly [name: string, text: string]>
