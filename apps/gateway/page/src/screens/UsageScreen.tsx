/** Tokens and cost by day, model and session. */
import * as Tabs from "@radix-ui/react-tabs"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { Link } from "wouter"
import * as queries from "../api/queries.ts"
import { Screen } from "../components/Screen.tsx"
import { count, dollars } from "../model/Figures.ts"
import * as SessionList from "../model/SessionList.ts"
import * as UsageSums from "../model/UsageSums.ts"

const keys = [
  ["day", "By day"],
  ["model", "By model"],
  ["treeId", "By session"]
] as const

export const UsageScreen = () => {
  const usage = useQuery(queries.usage())
  const sessions = useQuery(queries.sessions())
  const titles = useMemo(
    () => new Map(sessions.data?.items.map((session) => [session.id, SessionList.titleOf(session)])),
    [sessions.data]
  )
  const rows = usage.data?.items ?? []
  return (
    <Screen title="Usage" reads={[usage]}>
      {usage.isSuccess && rows.length === 0 && <p className="muted">No model has been called yet.</p>}
      {rows.length > 0 && (
        <Tabs.Root defaultValue="day">
          <Tabs.List className="tabs" aria-label="Usage by">
            {keys.map(([key, name]) => (
              <Tabs.Trigger key={key} value={key} className="tab">
                {name}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {keys.map(([key, name]) => (
            <Tabs.Content key={key} value={key}>
              <Bars name={name} sums={UsageSums.sumBy(rows, key)} titles={key === "treeId" ? titles : null} />
            </Tabs.Content>
          ))}
        </Tabs.Root>
      )}
    </Screen>
  )
}

interface BarsProps {
  readonly name: string
  readonly sums: ReadonlyArray<UsageSums.UsageSum>
  /** Titles of sessions by id; null: the keys are not sessions. */
  readonly titles: ReadonlyMap<string, string> | null
}

const maxRows = 100

/** A table whose rows have a bar, so that the chart is readable without colour. */
const Bars = ({ name, sums, titles }: BarsProps) => {
  const maxTokens = sums.reduce((max, { tokens }) => Math.max(max, tokens), 1)
  const shown = titles === null ? sums : sums.slice(0, maxRows)
  return (
    <div className="table-scroll">
      <table className="bars">
        <caption className="visually-hidden">{name}</caption>
        <thead>
          <tr>
            <th scope="col">{name.replace("By ", "")}</th>
            <th scope="col">tokens</th>
            <th scope="col">steps</th>
            <th scope="col">cost</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ costUsd, key, steps, tokens }) => (
            <tr key={key}>
              <th scope="row">{titles === null ? key : <SessionLink sessionId={key} title={titles.get(key)} />}</th>
              <td className="bar-cell">
                <svg width="160" height="10" viewBox="0 0 160 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={Math.max(2, (160 * tokens) / maxTokens)} height="10" rx="2" />
                </svg>
                {count(tokens)}
              </td>
              <td>{steps}</td>
              <td>{dollars(costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < sums.length && (
        <p className="muted">and {sums.length - shown.length} sessions with fewer tokens</p>
      )}
    </div>
  )
}

interface SessionLinkProps {
  readonly sessionId: string
  /** Undefined: the session is not among the newest ones, so its title is read. */
  readonly title: string | undefined
}

const SessionLink = ({ sessionId, title }: SessionLinkProps) => {
  const session = useQuery({ ...queries.session(sessionId), enabled: title === undefined })
  if (session.isError) return "a deleted session"
  const text = title ?? (session.data === undefined ? "…" : SessionList.titleOf(session.data))
  return <Link href={`/sessions/${encodeURIComponent(sessionId)}`}>{text}</Link>
}
