/** The environment of npm for a test: it reads its settings from there, and asks the given registry once. */
import { join } from "node:path"

export const npmEnvironment = (registry: string, home: string) => ({
  platform: process.platform,
  variables: {
    ...process.env,
    npm_config_registry: registry,
    npm_config_cache: join(home, "npm-cache"),
    npm_config_userconfig: join(home, "no-npmrc"),
    npm_config_fetch_retries: "0"
  }
})
