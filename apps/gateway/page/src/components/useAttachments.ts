/** Uploads files to the session when the user selects them, so a message only refers to them. */
import { dataOf, requestKey } from "@bough/client"
import { useState } from "react"
import { gateway } from "../api/gateway.ts"
import * as Attached from "../model/Attached.ts"

export interface Attachments {
  readonly files: ReadonlyArray<Attached.AttachedFile>
  readonly add: (chosen: ReadonlyArray<File>) => void
  readonly remove: (file: Attached.AttachedFile) => void
  /** Empties the list for the next message. */
  readonly clear: () => void
  /** Puts files back into the list if their message was not sent. */
  readonly restore: (files: ReadonlyArray<Attached.AttachedFile>) => void
}

export const useAttachments = (sessionId: string): Attachments => {
  const [files, setFiles] = useState<ReadonlyArray<Attached.AttachedFile>>([])
  const setState = (key: string, state: Attached.AttachedFile["state"]): void =>
    setFiles((before) => before.map((file) => (file.key === key ? { ...file, state } : file)))
  const upload = async (key: string, file: File): Promise<void> => {
    const name = Attached.fileName(file.name)
    const sending = {
      params: { path: { sessionId }, query: { name } },
      headers: { "content-type": "application/octet-stream" },
      body: "",
      // The body is the file itself, so it is not read into memory as text.
      bodySerializer: () => file
    }
    await dataOf(gateway.api.POST("/api/v1/sessions/{sessionId}/attachments", sending)).then(
      ({ id }) => setState(key, { _tag: "Stored", id }),
      (error: unknown) =>
        setState(key, { _tag: "Failed", message: error instanceof Error ? error.message : String(error) })
    )
  }
  return {
    files,
    add: (chosen) => {
      const added = chosen.slice(0, Attached.room(files)).map((file) => ({ key: requestKey(), file }))
      setFiles((before) => [
        ...before,
        ...added.map(({ file, key }) => ({ key, name: file.name, state: { _tag: "Uploading" } as const }))
      ])
      for (const { file, key } of added) void upload(key, file)
    },
    remove: ({ key, state }) => {
      setFiles((before) => before.filter((file) => file.key !== key))
      if (state._tag !== "Stored") return
      const path = { sessionId, attachmentId: state.id }
      // The file is no longer shown. If it cannot be deleted now, it is deleted with the session.
      void gateway.api
        .DELETE("/api/v1/sessions/{sessionId}/attachments/{attachmentId}", { params: { path } })
        .catch(() => undefined)
    },
    clear: () => setFiles([]),
    restore: (unsent) => setFiles((before) => [...unsent, ...before])
  }
}
