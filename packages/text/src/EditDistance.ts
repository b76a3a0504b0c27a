/**
 * The distance of two words: the number of insertions, deletions, replacements and swaps of neighbours that turn one
 * into the other (Damerau-Levenshtein in the restricted form, optimal string alignment).
 */

/** Rows of the table, which are reused because one search compares thousands of words. */
let [beforeLast, last, current] = [new Uint16Array(64), new Uint16Array(64), new Uint16Array(64)]

/** Returns the distance, or `maxDistance` + 1 if it is more than `maxDistance`; default: no limit. */
export const distance = (a: string, b: string, maxDistance: number = Math.max(a.length, b.length)): number => {
  if (Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1
  // A common beginning and end do not contribute.
  let start = 0
  let [aEnd, bEnd] = [a.length, b.length]
  while (aEnd > 0 && bEnd > 0 && a.charCodeAt(aEnd - 1) === b.charCodeAt(bEnd - 1)) {
    aEnd--
    bEnd--
  }
  while (start < aEnd && start < bEnd && a.charCodeAt(start) === b.charCodeAt(start)) start++
  const [rows, columns] = [aEnd - start, bEnd - start]
  if (rows === 0 || columns === 0) return Math.min(rows + columns, maxDistance + 1)
  if (last.length <= columns) {
    ;[beforeLast, last, current] = [0, 0, 0].map(() => new Uint16Array(2 * columns)) as [
      Uint16Array<ArrayBuffer>,
      Uint16Array<ArrayBuffer>,
      Uint16Array<ArrayBuffer>
    ]
  }
  for (let column = 0; column <= columns; column++) last[column] = column
  for (let row = 1; row <= rows; row++) {
    const letter = a.charCodeAt(start + row - 1)
    current[0] = row
    let minInRow = row
    for (let column = 1; column <= columns; column++) {
      const other = b.charCodeAt(start + column - 1)
      let far = last[column - 1] + (letter === other ? 0 : 1)
      if (last[column] + 1 < far) far = last[column] + 1
      if (current[column - 1] + 1 < far) far = current[column - 1] + 1
      if (
        row > 1 &&
        column > 1 &&
        letter === b.charCodeAt(start + column - 2) &&
        a.charCodeAt(start + row - 2) === other &&
        beforeLast[column - 2] + 1 < far
      ) {
        far = beforeLast[column - 2] + 1
      }
      current[column] = far
      if (far < minInRow) minInRow = far
    }
    // Later rows cannot have a smaller value than this row's minimum, even by swaps, which refer to the row before the
    // previous one at a cost of one.
    if (minInRow > maxDistance) return maxDistance + 1
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return Math.min(last[columns], maxDistance + 1)
}
