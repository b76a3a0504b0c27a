/** The text of the appending program at each position: of all lengths, every seventh a blob. */
export const crashText = (seq: number): string => `entry ${seq} `.repeat(seq % 7 === 0 ? 3000 : (seq * 37) % 200)
