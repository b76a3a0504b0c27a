/** How hard a model is to think before it answers, in the words that providers share; each has some of them. */

export const levels = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const
export type Effort = (typeof levels)[number]
