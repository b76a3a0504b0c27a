/** The order in which the pages are read. */
const page = (text: string, link: string) => ({ text, link })

export const sidebar = [
  {
    text: "Begin",
    items: [
      page("Install", "/install"),
      page("Quick start", "/quick-start"),
      page("A tour", "/tour"),
      page("Switch from another agent", "/how-to/switch")
    ]
  },
  {
    text: "How to",
    items: [
      page("Commit and push", "/how-to/commit-and-push"),
      page("Install dependencies", "/how-to/dependencies"),
      page("Work in a monorepo", "/how-to/monorepo"),
      page("Run a development server", "/how-to/development-server"),
      page("Run in CI", "/how-to/ci"),
      page("Log in with an account", "/how-to/accounts"),
      page("Work in an editor", "/how-to/editors"),
      page("Use local models", "/how-to/local-models"),
      page("Work behind a proxy", "/how-to/proxies"),
      page("Review a change", "/how-to/review")
    ]
  },
  {
    text: "Reference",
    items: [
      page("bough", "/apps/cli"),
      page("Configuration", "/configuration"),
      page("Keys", "/keys"),
      page("Undo", "/undo"),
      page("MCP", "/mcp"),
      page("Telemetry", "/telemetry"),
      page("Tool shapes of models", "/tool-shapes")
    ]
  },
  {
    text: "Gateway",
    items: [
      page("Run it", "/gateway"),
      page("The page", "/page"),
      page("API", "/gateway-api"),
      page("Other clients", "/other-clients")
    ]
  },
  {
    text: "Build with it",
    items: [
      page("A tool of your own", "/own-tools"),
      page("Packages", "/packages"),
      page("Architecture", "/architecture"),
      page("Decisions", "/adr")
    ]
  },
  {
    text: "Trust",
    items: [
      page("Security", "/SECURITY"),
      page("Guarantees and their tests", "/guarantees"),
      page("Promises", "/promises"),
      page("Crash points", "/crash-points"),
      page("Comparison", "/comparison"),
      page("Features of the terminal", "/terminal-features")
    ]
  }
]
