/** Formats a count with its noun, as in "1 tool" and "2 tools". */
export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`
