/** Checks of arguments that a program without types may pass, and the sentences about them. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

export const isTool = (value: unknown): boolean =>
  isRecord(value) && "name" in value && "capabilities" in value && "execute" in value

export const isPack = (value: unknown): boolean => isRecord(value) && isRecord(value["tools"])
