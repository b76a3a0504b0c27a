/** The clipboard of the user's terminal by OSC 52, which also reaches it over a remote shell. Terminals without it ignore it. */
import { text as safe, unchecked, write } from "../text/SafeText.ts"

/** Encodes the text in base64, so that the terminal obeys none of it. */
export const copy = (stdout: NodeJS.WriteStream, text: string): void => {
  const encoded = unchecked(Buffer.from(text, "utf8").toString("base64"))
  if (!stdout.destroyed) write(stdout, safe`\u001B]52;c;${encoded}\u0007`)
}
