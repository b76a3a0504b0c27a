/** The text input. Enter sends a message, or queues it while the agent works; Ctrl-Enter steers the running turn. */
import { dataOf, requestKey } from "@bough/client"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { gateway } from "../api/gateway.ts"
import { isOutage } from "../api/outage.ts"
import * as Attached from "../model/Attached.ts"
import * as Begun from "../model/Begun.ts"
import type { QueuedMessage } from "../model/Queue.ts"
import { AttachedFiles } from "./AttachedFiles.tsx"
import { Icon } from "./Icon.tsx"
import { useAttachments } from "./useAttachments.ts"

interface ComposerProps {
  readonly sessionId: string
  readonly isWorking: boolean
  readonly onSent: (message: QueuedMessage) => void
  /** Called with the key of a message that could not be sent. */
  readonly onRefused: (key: string) => void
}

type Delivery = "queue" | "steer"

interface OutgoingMessage {
  readonly text: string
  readonly delivery: Delivery
  readonly files: ReadonlyArray<Attached.AttachedFile>
}

/**
 * A request without an answer, which may have arrived: the same message is sent again with its key, so that the session
 * receives it once.
 */
interface UnansweredMessage {
  readonly said: string
  readonly key: string
}

export const Composer = ({ isWorking, onRefused, onSent, sessionId }: ComposerProps) => {
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(sessionId)) ?? "")
  const box = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const attachments = useAttachments(sessionId)
  const params = { path: { sessionId } }
  const unanswered = useRef<UnansweredMessage | null>(null)
  const send = useMutation({
    mutationFn: async ({ delivery, files, text }: OutgoingMessage) => {
      const content = JSON.stringify([text, delivery, Attached.idsOf(files)])
      const key = unanswered.current?.said === content ? unanswered.current.key : requestKey()
      unanswered.current = { said: content, key }
      onSent({ key, text, delivery: isWorking ? delivery : "send" })
      const body = { text, delivery, ...(files.length === 0 ? {} : { attachments: [...Attached.idsOf(files)] }) }
      const sending = { params: { ...params, header: { "idempotency-key": key } }, body }
      await dataOf(gateway.api.POST("/api/v1/sessions/{sessionId}/messages", sending)).catch((error: unknown) => {
        onRefused(key)
        if (!isOutage(error)) unanswered.current = null
        throw error
      })
      unanswered.current = null
    },
    onError: (_error, message) => {
      setText((now) => (now === "" ? message.text : now))
      attachments.restore(message.files)
    }
  })
  const stop = useMutation({
    mutationFn: () => dataOf(gateway.api.POST("/api/v1/sessions/{sessionId}/cancel", { params, body: {} }))
  })
  useEffect(() => {
    sessionStorage.setItem(draftKey(sessionId), text)
    const area = box.current
    if (area === null) return
    area.style.height = "auto"
    area.style.height = `${area.scrollHeight}px`
  }, [sessionId, text])
  const canSend = text.trim() !== "" && Attached.isReady(attachments.files) && !send.isPending
  const submit = (delivery: Delivery): void => {
    if (!canSend) return
    setText("")
    attachments.clear()
    send.mutate({ text: text.trim(), delivery, files: attachments.files })
  }
  const error = send.error ?? stop.error
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit("queue")
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        attachments.add([...event.dataTransfer.files])
      }}
    >
      {error !== null && (
        <p className="error" role="alert">
          {error.message}
        </p>
      )}
      <AttachedFiles files={attachments.files} onRemove={attachments.remove} />
      <div className="composer-box">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={({ currentTarget }) => {
            attachments.add([...(currentTarget.files ?? [])])
            currentTarget.value = ""
          }}
        />
        <button
          className="button quiet"
          type="button"
          aria-label="Attach files"
          disabled={Attached.room(attachments.files) === 0}
          onClick={() => picker.current?.click()}
        >
          <Icon name="attach" />
        </button>
        <textarea
          ref={box}
          id="composer"
          rows={1}
          autoFocus={Begun.takesFocus()}
          aria-label="Message"
          aria-describedby="composer-keys"
          placeholder={isWorking ? "Queue a message, or steer…" : "Write a message…"}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return
            event.preventDefault()
            attachments.add([...event.clipboardData.files])
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === "Enter" && !event.shiftKey) {
              event.preventDefault()
              submit(event.ctrlKey || event.metaKey ? "steer" : "queue")
            }
            if (event.key === "Escape" && isWorking && text === "") stop.mutate()
          }}
        />
        {isWorking && (
          <button className="button danger" type="button" disabled={stop.isPending} onClick={() => stop.mutate()}>
            <Icon name="stop" /> Stop
          </button>
        )}
        {isWorking && text.trim() !== "" && (
          <button className="button" type="button" disabled={!canSend} onClick={() => submit("steer")}>
            Steer
          </button>
        )}
        <button className="button primary" disabled={!canSend}>
          <Icon name="send" /> {isWorking ? "Queue" : "Send"}
        </button>
      </div>
      <p id="composer-keys" className="composer-keys">
        {isWorking ? (
          <>
            <kbd>Enter</kbd> queue · <kbd>Ctrl</kbd> <kbd>Enter</kbd> steer · <kbd>Esc</kbd> stop
          </>
        ) : (
          <>
            <kbd>Enter</kbd> send · <kbd>Shift</kbd> <kbd>Enter</kbd> new line · <kbd>Ctrl</kbd> <kbd>K</kbd> commands
          </>
        )}
      </p>
    </form>
  )
}

const draftKey = (sessionId: string): string => `draft ${sessionId}`
