/**
 * The public hosts of package managers, by ecosystem: an operator opens them to commands by the ecosystem's name. Only
 * this preset names such hosts.
 */

export const registries = {
  npm: ["registry.npmjs.org", "registry.yarnpkg.com", "repo.yarnpkg.com"],
  pypi: ["pypi.org", "files.pythonhosted.org"],
  crates: ["crates.io", "index.crates.io", "static.crates.io"],
  go: ["proxy.golang.org", "sum.golang.org"],
  maven: ["repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "services.gradle.org"],
  rubygems: ["rubygems.org", "index.rubygems.org"],
  nuget: ["api.nuget.org"],
  packagist: ["packagist.org", "repo.packagist.org"],
  debian: ["deb.debian.org", "security.debian.org"],
  ubuntu: ["archive.ubuntu.com", "security.ubuntu.com", "ports.ubuntu.com"],
  alpine: ["dl-cdn.alpinelinux.org"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

export type Registry = keyof typeof registries

export const names = Object.keys(registries) as ReadonlyArray<Registry> as readonly [Registry, ...Array<Registry>]
