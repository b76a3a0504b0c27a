/** `read_session_archive`: the journal of an earlier session, entry by entry. */
import { Session } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { FromSeq, Limit, NextSeq, formatPage } from "./internal/page.ts"

export const ReadSessionArchive = Tool.make("read_session_archive", {
  version: 1,
  description: "Read the journal of an earlier session, one JSON entry per item",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.History],
  parameters: Schema.Struct({ sessionId: Schema.NonEmptyString, fromSeq: FromSeq, limit: Limit }),
  output: Schema.Struct({ entries: Schema.Array(Schema.String), nextSeq: NextSeq }),
  forModel: ({ entries, nextSeq }) => formatPage(entries, nextSeq),
  execute: Effect.fnUntraced(function* ({ fromSeq, limit, sessionId }) {
    const history = yield* Capability.History
    const { items, nextSeq } = yield* history.archive(Session.SessionId.make(sessionId), { fromSeq, limit })
    return Tool.result({ output: { entries: items, nextSeq }, display: `Read ${items.length} entries of ${sessionId}` })
  })
})
