/** Makes the texts of an agent for the model, without the secrets that they contain. */
import type { Redaction } from "@bough/dispatch"
import type { Session } from "@bough/protocol"
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import type { Memories } from "../memory/Memories.ts"
import * as DescribeDirectories from "../project/DescribeDirectories.ts"
import { currentEnvironment } from "./EnvironmentText.ts"
import * as SessionMode from "./SessionMode.ts"

interface PromptOptions {
  readonly kind: Session.Kind
  readonly mode: SessionMode.SessionMode | null
  readonly redaction: Redaction.Redaction
  readonly memories: Pick<Memories["Service"], "preferences" | "recall">
  readonly guidance: ReadonlyArray<string>
  /** Succeeds once the environment can be described, such as when servers are known. */
  readonly ready: Effect.Effect<void>
}

export const make = (settings: Settings, options: PromptOptions): Agent.AgentPrompt => {
  const { guidance, kind, memories, mode, ready, redaction } = options
  const redact = <A extends { readonly text: string }>(found: A): A => ({
    ...found,
    text: redaction.redact(found.text)
  })
  const orNull = <A extends { readonly text: string }>(found: A | null): A | null =>
    found === null ? null : redact(found)
  const environment = Effect.andThen(ready, currentEnvironment(settings))
  return {
    instructions: [...DescribeDirectories.toInstructions(settings.workspace), ...settings.extensions.instructions].map(
      redact
    ),
    guidance,
    environment:
      mode === null ? environment : Effect.map(environment, (text) => SessionMode.withMode(text, mode.now())),
    // Children work on the task that their parent gives them.
    ...(kind === "Main"
      ? {
          recall: (message: string) => Effect.map(memories.recall(message), orNull),
          preferences: Effect.map(memories.preferences, orNull)
        }
      : {})
  }
}
