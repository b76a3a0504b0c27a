/** The result of a reflection on the session's work. */
import * as Schema from "effect/Schema"

/** `complete`: the request is fulfilled. `continue`: the plan still fits. `replan`: the plan does not lead to the goal. */
export const Verdict = Schema.Struct({
  verdict: Schema.Literals(["complete", "continue", "replan"]).annotate({
    description:
      "complete: what was asked for is done; continue: it is not, and the way is right; replan: another way is needed"
  }),
  assessment: Schema.String.annotate({ description: "How it went, in one sentence" }),
  lessons: Schema.Array(Schema.String).annotate({
    description: "What to do otherwise in this conversation from now on; often there is none"
  }),
  nextFocus: Schema.optionalKey(Schema.String.annotate({ description: "What comes next, unless it is complete" }))
})
export type Verdict = typeof Verdict.Type
