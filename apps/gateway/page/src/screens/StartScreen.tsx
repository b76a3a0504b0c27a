/** Starts a new session with the user's first message. */
import { dataOf, requestKey } from "@bough/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { navigate } from "wouter/use-hash-location"
import { gateway } from "../api/gateway.ts"
import { Icon } from "../components/Icon.tsx"
import { noneChosen, SessionChoices, toBody } from "../components/SessionChoices.tsx"
import { useTitle } from "../components/useTitle.ts"
import * as Begun from "../model/Begun.ts"

export const StartScreen = () => {
  const [text, setText] = useState("")
  const [chosen, setChosen] = useState(noneChosen)
  // The key stays the same until a field changes, so that a repeated attempt uses the same session.
  const [key, setKey] = useState(requestKey)
  const client = useQueryClient()
  useTitle("New session")
  const start = useMutation({
    mutationFn: async (said: string) => {
      const header = { "idempotency-key": key }
      const session = await dataOf(gateway.api.POST("/api/v1/sessions", { params: { header }, body: toBody(chosen) }))
      const path = { sessionId: session.id }
      await dataOf(
        gateway.api.POST("/api/v1/sessions/{sessionId}/messages", {
          params: { path, header: { "idempotency-key": `${key}-message` } },
          body: { text: said }
        })
      )
      return session
    },
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ["sessions"] })
      navigate(`/sessions/${encodeURIComponent(id)}`, { state: Begun.state })
    }
  })
  const submit = (): void => {
    if (text.trim() !== "" && !start.isPending) start.mutate(text.trim())
  }
  return (
    <section className="screen start" aria-labelledby="screen-title">
      <h1 id="screen-title">What should be done?</h1>
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className="composer-box">
          <textarea
            id="composer"
            rows={4}
            autoFocus
            aria-label="First message"
            placeholder="Describe the task…"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setKey(requestKey())
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              submit()
            }}
          />
          <button className="button primary" disabled={text.trim() === "" || start.isPending}>
            <Icon name="send" /> Start
          </button>
        </div>
        <SessionChoices
          chosen={chosen}
          onChange={(next) => {
            setChosen(next)
            setKey(requestKey())
          }}
        />
      </form>
      {start.error !== null && (
        <p className="error" role="alert">
          {start.error.message}
        </p>
      )}
    </section>
  )
}
