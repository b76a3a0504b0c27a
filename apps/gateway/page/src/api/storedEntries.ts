/**
 * Reads the stored entries of a session in pages. Their number is not known beforehand, so each round requests twice as
 * many pages at once as the round before: a short session needs one request, and a long one few round trips.
 */

export interface EntriesPage<Entry> {
  readonly items: ReadonlyArray<Entry>
  /** The `seq` of the entry after the page; null: none was stored when it was read. */
  readonly nextSeq: number | null
}

/** The entries of a page, at most as many as the API returns. */
export const pageSize = 200

/** Browsers open six connections to a server, and the stream of frames has one. */
const maxAtOnce = 5

/** Passes all entries from `fromSeq` on to `use`, in order and without a gap. */
export const readEntries = async <Entry>(
  fromSeq: number,
  readPage: (fromSeq: number) => Promise<EntriesPage<Entry>>,
  use: (entries: ReadonlyArray<Entry>) => void
): Promise<void> => {
  let next = fromSeq
  for (let atOnce = 1; ; atOnce = Math.min(2 * atOnce, maxAtOnce)) {
    const first = next
    const pages = await Promise.all(Array.from({ length: atOnce }, (_, index) => readPage(first + index * pageSize)))
    for (const { items, nextSeq } of pages) {
      use(items)
      // Later pages may contain entries that were stored after this one was read: they would leave a gap.
      if (nextSeq === null) return
      next = nextSeq
    }
  }
}
