/** True if an Accept-Encoding header allows gzip: by name or as `*`, and with a weight above 0. */
export const acceptsGzip = (header: string): boolean => {
  const weights = new Map(header.toLowerCase().split(",").map(weightOf))
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0
}

const weightOf = (part: string): readonly [coding: string, weight: number] => {
  const [coding = "", ...parameters] = part.split(";").map((text) => text.trim())
  const weight = parameters.find((parameter) => parameter.startsWith("q="))
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
}
