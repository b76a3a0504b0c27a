/** The environment of npm in a test: npm reads no settings of this machine, and does not repeat a request. */
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
