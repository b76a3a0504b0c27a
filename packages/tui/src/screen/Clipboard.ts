/**
 * The clipboard of the user's terminal by OSC 52, which also works over a remote shell. Terminals without OSC 52 ignore
 * the sequence.
 */
import { text as safe, unchecked, write } from "../text/SafeText.ts"

/** Copies the text. It is encoded in base64, so that the terminal interprets none of it. */
export const copy = (stdout: NodeJS.WriteStream, text: string): void => {
  const encoded = unchecked(Buffer.from(text, "utf8").toString("base64"))
  if (!stdout.destroyed) write(stdout, safe`\u001B]52;c;${encoded}\u0007`)
}
