/** The input of the user to a conversation. */
import type { Message } from "@bough/protocol"

export type UserInput =
  /** `waits`: the input is queued until the running work has ended. */
  | {
      readonly _tag: "Say"
      readonly text: string
      readonly media: ReadonlyArray<Message.Media>
      readonly waits: boolean
    }
  | { readonly _tag: "RunCommand"; readonly command: string }
  | { readonly _tag: "RunSlashCommand"; readonly name: string; readonly arguments: string }
  /** The input is refused; the reason includes the fix. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** Ends the call that waits for a command, while the command continues. */
  | { readonly _tag: "LeaveRunning" }
  | { readonly _tag: "Quit" }

/** The input as typed. */
export const textOf = (input: UserInput): string => {
  switch (input._tag) {
    case "Say":
      return input.text
    case "RunCommand":
      return `!${input.command}`
    case "RunSlashCommand":
      return `/${input.name} ${input.arguments}`.trimEnd()
    case "Refused":
      return input.reason
    case "LeaveRunning":
      return "Ctrl-B"
    case "Quit":
      return "quit"
  }
}
