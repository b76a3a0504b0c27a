/** The reasoning effort of a model, in the terms that providers share; each supports some of them. */

export const levels = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const
export type Effort = (typeof levels)[number]

/**
 * Models with an effort setting, by provider: without it Claude answers without reasoning, and others have their own
 * defaults. Models at other addresses are unknown.
 */
const takes: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-(?:opus-4-[5-9]|sonnet-4-[6-9]|(?:opus|sonnet|haiku)-[5-9]|fable-)/u,
  "amazon-bedrock": /anthropic\.claude-(?:opus-4-[5-9]|sonnet-4-[6-9]|(?:opus|sonnet|haiku)-[5-9]|fable-)/u,
  openai: /^(?:gpt-(?:[5-9]|\d\d)(?!.*chat)|o[1-9])/u,
  "openai-chat": /^(?:gpt-(?:[5-9]|\d\d)(?!.*chat)|o[1-9])/u,
  google: /^gemini-(?:2\.5-(?:pro|flash$)|[3-9])(?!.*(?:lite|image|tts|audio))/u
}

/** The effort of a model, given as `provider/model`, if none is chosen; null: it is left to the provider. */
export const defaultFor = (name: string): Effort | null => {
  const slash = name.indexOf("/")
  const known = Object.hasOwn(takes, name.slice(0, slash)) ? takes[name.slice(0, slash)] : null
  return known?.test(name.slice(slash + 1)) === true ? "medium" : null
}
