/** What the appending program writes at each place: of all lengths, every seventh a blob. */
export const crashText = (seq: number): string => `entry ${seq} `.repeat(seq % 7 === 0 ? 3000 : (seq * 37) % 200)
