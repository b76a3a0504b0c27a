/** What the person wants of a conversation. */
import type { Message } from "@bough/protocol"

export type UserInput =
  /** `waits`: until what runs is over. */
  | {
      readonly _tag: "Say"
      readonly text: string
      readonly media: ReadonlyArray<Message.Media>
      readonly waits: boolean
    }
  | { readonly _tag: "RunCommand"; readonly command: string }
  | { readonly _tag: "RunSlashCommand"; readonly name: string; readonly arguments: string }
  /** It cannot be carried out, for a reason that says what to do. */
  | { readonly _tag: "Refused"; readonly reason: string }
  | { readonly _tag: "Quit" }

/** As it was typed. */
export const textOf = (wish: UserInput): string => {
  switch (wish._tag) {
    case "Say":
      return wish.text
    case "RunCommand":
      return `!${wish.command}`
    case "RunSlashCommand":
      return `/${wish.name} ${wish.arguments}`.trimEnd()
    case "Refused":
      return wish.reason
    case "Quit":
      return "quit"
  }
}
