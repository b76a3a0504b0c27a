/** A text reaches the clipboard unchanged, and the terminal executes nothing in it. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import * as Clipboard from "../../src/screen/Clipboard.ts"
import * as VirtualTerminal from "./VirtualTerminal.ts"

describe("Clipboard", () => {
  it.prop(
    "carries any text in characters that end no sequence",
    [Schema.String],
    ([text]) => {
      const terminal = VirtualTerminal.make(80, 24)
      Clipboard.copy(terminal.stdout, text)
      const written = terminal.writes.join("")
      const [start, end] = ["\u001B]52;c;", "\u0007"]
      assert.isTrue(written.startsWith(start) && written.endsWith(end))
      const encoded = written.slice(start.length, -end.length)
      assert.match(encoded, /^[A-Za-z0-9+/=]*$/u)
      assert.strictEqual(Buffer.from(encoded, "base64").toString("utf8"), Buffer.from(text, "utf8").toString("utf8"))
    },
    sampled({ arbitrary: { runs: 100 } })
  )
})
