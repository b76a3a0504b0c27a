/** Packages that stay out of a bundle: they find a binary or WebAssembly beside themselves. */
export const unbundled: ReadonlyArray<string> = [
  "@vscode/ripgrep",
  "@lancedb/lancedb",
  "@napi-rs/keyring",
  "apache-arrow",
  "@bough/embedding-static",
  "web-tree-sitter",
  "tree-sitter-bash"
]
