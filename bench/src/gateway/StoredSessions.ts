/** The time to list a user's sessions if very many are stored. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { check } from "../Check.ts"
import * as Gateway from "./Gateway.ts"
import * as Requests from "./Requests.ts"

export interface ListTimes {
  /** Times for the newest page. */
  readonly first: ReadonlyArray<number>
  /** Times for a page in the middle of the list. */
  readonly later: ReadonlyArray<number>
  /** Times for sessions whose title contains a rare word. */
  readonly byTitle: ReadonlyArray<number>
}

/** The divisor of the user's share: the user owns half of the sessions. */
const share = 2

/** Copies the rows of the stored session, as if each copy had been a separate session. */
const multiply = (file: string, count: number): void => {
  const database = new DatabaseSync(file)
  const columnsOf = (table: string): ReadonlyArray<string> =>
    database
      .prepare(`PRAGMA table_xinfo(${table})`)
      .all()
      .filter(({ hidden }) => hidden === 0)
      .map(({ name }) => String(name))
  const copy = (table: string, replaced: Readonly<Record<string, string>>): void => {
    const columns = columnsOf(table)
    const values = columns.map((column) => replaced[column] ?? column)
    database.exec(`INSERT INTO ${table} (${columns.join(", ")})
      WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ${count})
      SELECT ${values.join(", ")} FROM copies, (SELECT * FROM ${table} LIMIT 100) AS source`)
  }
  const id = "printf('%s-%06d', source.session_id, n)"
  const tree = "printf('%s-%06d', source.tree_id, n)"
  database.exec("PRAGMA foreign_keys = OFF; BEGIN")
  copy("trees", { tree_id: tree })
  copy("sessions", {
    session_id: id,
    tree_id: tree,
    title: "CASE WHEN n % 1000 = 0 THEN 'A heron by the lake' ELSE 'Hello number ' || n END",
    user: `CASE WHEN n % ${share} = 0 THEN source.user ELSE 'bench/user-' || (n % 100) END`,
    created_at_millis: "source.created_at_millis - n * 60000",
    updated_at_millis: "source.updated_at_millis - n * 60000",
    changed_second: "source.changed_second - n * 60"
  })
  copy("entries", { session_id: id })
  database.exec("COMMIT; ANALYZE")
  database.close()
}

export const measure = async (folder: string, count: number, requests: number): Promise<ListTimes> => {
  const maker = await Gateway.start(folder, { maxLoaded: 16, streams: 1 })
  await maker.turns(await maker.create(1), "Hello")
  await maker.child.stop()
  multiply(join(folder, "data", "sessions", "bough.db"), count)
  const gateway = await Gateway.start(folder, { maxLoaded: 16, streams: 1 })
  try {
    const token = gateway.token(0)
    interface Page {
      readonly items: ReadonlyArray<{ readonly id: string }>
      readonly next: string | null
    }
    const list = (query: string) =>
      Requests.json<Page>(`${gateway.child.ready.url}/api/v1/sessions?limit=50${query}`, 200, { token })
    const seen = new Set<string>()
    let cursor = ""
    for (let page = 0; page < 100; page++) {
      const { items, next } = (await list(cursor)).body
      for (const { id } of items) seen.add(id)
      check(items.length === 50 && next !== null, `page ${page} has ${items.length} sessions`)
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    check(seen.size === 5_000, `100 pages have ${seen.size} sessions, not 5000`)
    const times = async (query: string): Promise<ReadonlyArray<number>> => {
      const found: Array<number> = []
      for (let index = 0; index < requests; index++) found.push((await list(query)).millis)
      return found
    }
    return { first: await times(""), later: await times(cursor), byTitle: await times("&title=heron") }
  } finally {
    await gateway.child.stop()
  }
}
