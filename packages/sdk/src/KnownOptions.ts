/** Reports misspelt options of `open`, which a program without types could pass. */
import type { OpenOptions } from "./Options.ts"

const known: Readonly<Record<keyof OpenOptions, true>> = {
  root: true,
  approve: true,
  rules: true,
  execution: true,
  environment: true,
  secrets: true,
  network: true,
  memory: true,
  channel: true,
  provide: true,
  user: true,
  onReceipt: true
}

/** Returns the reason why these options cannot be used; null: `open` has all of them. */
export const fault = (options: object): string | null => {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  return unknown === undefined
    ? null
    : `open has no option ${JSON.stringify(unknown)}; its options are ${Object.keys(known).join(", ")}`
}
