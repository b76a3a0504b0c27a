/** Files that a call sent to the user. Images are shown, and all files can be downloaded. */
import { useQuery } from "@tanstack/react-query"
import { useContext, useEffect, useState } from "react"
import * as queries from "../api/queries.ts"
import { isImage, type SentFile } from "../model/SentFiles.ts"
import { Icon } from "./Icon.tsx"
import { SessionContext } from "./SessionContext.ts"

export const SentFiles = ({ files }: { readonly files: ReadonlyArray<SentFile> }) => {
  const sessionId = useContext(SessionContext)
  return files.map((file) => <Sent key={file.artifactId} sessionId={sessionId} {...file} />)
}

const Sent = ({ artifactId, path, sessionId }: SentFile & { readonly sessionId: string }) => {
  const content = useQuery(queries.artifact(sessionId, artifactId))
  const url = useObjectUrl(content.data ?? null)
  const name = path.split("/").at(-1) ?? path
  return (
    <figure className="sent">
      {url !== null && isImage(content.data?.type ?? "") && <img src={url} alt={name} />}
      <figcaption>
        {url === null ? (
          <span>{name}</span>
        ) : (
          <a href={url} download={name}>
            <Icon name="download" /> {name}
          </a>
        )}
        {content.isError && <span className="muted">the file is no longer there</span>}
      </figcaption>
    </figure>
  )
}

/** Returns an object URL for the bytes, which is revoked when they are no longer shown. */
const useObjectUrl = (blob: Blob | null): string | null => {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (blob === null) return
    const objectUrl = URL.createObjectURL(blob)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [blob])
  return url
}
