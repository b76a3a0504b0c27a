/** The files attached to the message that the user is writing, each with its state and a button that removes it. */
import type { AttachedFile } from "../model/Attached.ts"
import { Icon } from "./Icon.tsx"

interface AttachedFilesProps {
  readonly files: ReadonlyArray<AttachedFile>
  readonly onRemove: (file: AttachedFile) => void
}

export const AttachedFiles = ({ files, onRemove }: AttachedFilesProps) =>
  files.length === 0 ? null : (
    <ul className="attached" aria-label="Attached files">
      {files.map((file) => (
        <li key={file.key} data-state={file.state._tag}>
          <span>{file.name}</span>
          {file.state._tag === "Uploading" && <span className="tag tag-live">uploading</span>}
          {file.state._tag === "Failed" && (
            <span className="tag tag-bad" role="alert">
              {file.state.message}
            </span>
          )}
          <button
            className="button quiet"
            type="button"
            aria-label={`Remove ${file.name}`}
            onClick={() => onRemove(file)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
