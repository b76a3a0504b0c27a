/** The files that the session's tree changed. The difference of each is shown on demand. */
import type { ChangedFile } from "@bough/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import * as queries from "../api/queries.ts"
import * as DiffLines from "../model/DiffLines.ts"
import { Diff } from "./Diff.tsx"
import { Icon } from "./Icon.tsx"

export const ChangedFiles = ({ sessionId }: { readonly sessionId: string }) => {
  const changes = useInfiniteQuery(queries.changes(sessionId))
  const files = changes.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      {changes.isPending && <p className="muted">Loading…</p>}
      {changes.error !== null && (
        <p className="error" role="alert">
          {changes.error.message}
        </p>
      )}
      {changes.isSuccess && files.length === 0 && <p className="muted">No changed files.</p>}
      <ul className="rows">
        {files.map((file) => (
          <li key={file.path}>
            <ChangedFileRow file={file} />
          </li>
        ))}
      </ul>
      {changes.hasNextPage && (
        <button className="button" disabled={changes.isFetching} onClick={() => void changes.fetchNextPage()}>
          More files
        </button>
      )}
    </>
  )
}

const tones = { added: "good", modified: "plain", deleted: "bad" } as const

const ChangedFileRow = ({ file }: { readonly file: ChangedFile }) => {
  const { added, removed } = useMemo(() => DiffLines.countChanges(DiffLines.rowsOf(file.diff)), [file.diff])
  return (
    <details className="changed-file" data-path={file.path}>
      <summary>
        <Icon name="chevron" />
        <span className="changed-path">{file.path}</span>
        <span className={`tag tag-${tones[file.change]}`}>{file.change}</span>
        <span className="facts">
          <span>+{added}</span>
          <span>−{removed}</span>
        </span>
      </summary>
      {file.note !== null && <p className="muted">{file.note}</p>}
      {DiffLines.isDiff(file.diff) ? (
        <Diff label={`Difference of ${file.path}`} text={file.diff} />
      ) : (
        <p className="muted">The difference of this file cannot be shown.</p>
      )}
      {file.truncated && <p className="muted">The difference is cut here.</p>}
    </details>
  )
}
