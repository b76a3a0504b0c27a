/**
 * Alerts the user to return to the terminal: by its bell, or by a desktop notification if the terminal supports OSC 9
 * or 777.
 */
import { type SafeText, text as safe, write } from "../text/SafeText.ts"

export const kinds = ["off", "bell", "osc9", "osc777"] as const
export type NotificationKind = (typeof kinds)[number]

const sequences: Readonly<Record<NotificationKind, (title: SafeText, said: SafeText) => SafeText>> = {
  off: () => safe``,
  bell: () => safe`\u0007`,
  osc9: (title, said) => safe`\u001B]9;${title}: ${said}\u0007`,
  osc777: (title, said) => safe`\u001B]777;notify;${title};${said}\u0007`
}

export interface Notice {
  readonly title: SafeText
  readonly message: SafeText
}

export const send = (stdout: NodeJS.WriteStream, kind: NotificationKind, { message: said, title }: Notice): void => {
  if (kind !== "off" && !stdout.destroyed) write(stdout, sequences[kind](title, said))
}
