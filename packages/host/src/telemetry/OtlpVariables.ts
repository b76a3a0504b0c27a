/**
 * Translates the operator's variables for the OTLP exporter of effect, with Bough's variable and the defaults of the
 * specification.
 */

export type Variables = Readonly<Record<string, string | undefined>>

export interface Service {
  readonly name: string
  readonly version: string
}

export type Protocol = "http/json" | "http/protobuf"

export interface OtlpVariables {
  readonly protocol: Protocol
  /** The time limit of one request to the collector. */
  readonly timeoutMillis: number
  readonly values: Readonly<Record<string, string>>
}

const timeouts = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"]

/** The default of the specification. */
const requestMillis = 10_000

/**
 * The time that the end of the program waits for the last spans; the exporter takes it from the timeout of requests.
 */
const lastSpansMillis = 1000

/**
 * Reads the variables. Returns a string with the reason if nothing can be exported; the string never contains a value
 * of a variable.
 */
export const read = (variables: Variables, service: Service): OtlpVariables | string => {
  const values = withoutEmpty(variables)
  const endpoint = values["BOUGH_OTLP_ENDPOINT"]
  if (endpoint !== undefined) {
    values["OTEL_EXPORTER_OTLP_ENDPOINT"] = endpoint
    delete values["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
  }
  const protocol = protocolOf(values)
  const fault = endpointFault(values, endpoint !== undefined) ?? exporterFault(values) ?? timeoutFault(values)
  if (fault !== null) return fault
  if (protocol === null) return 'the OTLP protocol is neither "http/protobuf" nor "http/json"'
  const timeout = timeouts.map((name) => values[name]).find((value) => value !== undefined)
  return {
    protocol,
    timeoutMillis: timeout === undefined ? requestMillis : Number(timeout),
    values: { ...defaults(values, service), ...values, OTEL_TRACES_EXPORTER: "otlp" }
  }
}

const withoutEmpty = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      const trimmed = value?.trim() ?? ""
      return /^(?:OTEL_|BOUGH_OTLP_)/.test(name) && trimmed !== "" ? [[name, trimmed]] : []
    })
  )

const defaults = (values: Variables, { name, version }: Service): Record<string, string> => {
  const attributes = values["OTEL_RESOURCE_ATTRIBUTES"] ?? ""
  const hasAttribute = (key: string): boolean => attributes.split(",").some((pair) => pair.trim().startsWith(`${key}=`))
  return {
    ...(hasAttribute("service.name") ? {} : { OTEL_SERVICE_NAME: name }),
    ...(hasAttribute("service.version") ? {} : { OTEL_SERVICE_VERSION: version }),
    ...(values["OTEL_BSP_EXPORT_TIMEOUT"] === undefined ? { OTEL_EXPORTER_OTLP_TIMEOUT: String(lastSpansMillis) } : {})
  }
}

const protocolOf = (values: Variables): Protocol | null => {
  const protocol =
    values["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] ?? values["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "http/protobuf"
  return protocol === "http/json" || protocol === "http/protobuf" ? protocol : null
}

const exporterFault = (values: Variables): string | null => {
  const exporters = (values["OTEL_TRACES_EXPORTER"] ?? "otlp").split(",").map((one) => one.trim())
  return exporters.includes("otlp") ? null : 'OTEL_TRACES_EXPORTER has no "otlp"'
}

const timeoutFault = (values: Variables): string | null => {
  const name = timeouts.find((name) => values[name] !== undefined && !/^[1-9]\d{0,8}$/.test(values[name]))
  return name === undefined ? null : `${name} is not a number of milliseconds`
}

const endpointFault = (values: Variables, isOurs: boolean): string | null => {
  const name =
    values["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] === undefined
      ? "OTEL_EXPORTER_OTLP_ENDPOINT"
      : "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
  const url = values[name]
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? null
    : `${isOurs ? "BOUGH_OTLP_ENDPOINT" : name} is not an address that begins with http:// or https://`
}
