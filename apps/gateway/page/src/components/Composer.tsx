/** Where the user writes: Enter sends, and while the agent works, queues; Ctrl-Enter steers the running turn. */
import { dataOf } from "@bough/client"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { gateway } from "../api/gateway.ts"
import type { Queued } from "../model/Queue.ts"
import { Icon } from "./Icon.tsx"

interface ComposerProps {
  readonly sessionId: string
  readonly isWorking: boolean
  readonly onSent: (message: Queued) => void
  /** The message with that key was not sent. */
  readonly onRefused: (key: string) => void
}

type Delivery = "queue" | "steer"

export const Composer = ({ isWorking, onRefused, onSent, sessionId }: ComposerProps) => {
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(sessionId)) ?? "")
  const box = useRef<HTMLTextAreaElement>(null)
  const params = { path: { sessionId } }
  const send = useMutation({
    mutationFn: async ({ delivery, text }: { readonly text: string; readonly delivery: Delivery }) => {
      const key = crypto.randomUUID()
      onSent({ key, text, delivery: isWorking ? delivery : "send" })
      const sending = { params: { ...params, header: { "idempotency-key": key } }, body: { text, delivery } }
      await dataOf(gateway.api.POST("/api/v1/sessions/{sessionId}/messages", sending)).catch((error: unknown) => {
        onRefused(key)
        throw error
      })
    },
    onError: (_error, message) => setText((now) => (now === "" ? message.text : now))
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
  const submit = (delivery: Delivery): void => {
    const said = text.trim()
    if (said === "" || send.isPending) return
    setText("")
    send.mutate({ text: said, delivery })
  }
  const error = send.error ?? stop.error
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit("queue")
      }}
    >
      {error !== null && (
        <p className="error" role="alert">
          {error.message}
        </p>
      )}
      <div className="composer-box">
        <textarea
          ref={box}
          id="composer"
          rows={1}
          aria-label="Message"
          aria-describedby="composer-keys"
          placeholder={isWorking ? "Queue a message, or steer…" : "Write a message…"}
          value={text}
          onChange={(event) => setText(event.target.value)}
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
          <button className="button" type="button" onClick={() => submit("steer")}>
            Steer
          </button>
        )}
        <button className="button primary" disabled={text.trim() === "" || send.isPending}>
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
