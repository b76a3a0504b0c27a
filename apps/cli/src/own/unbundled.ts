/** Packages that stay out of a bundle, because they look for a binary or WebAssembly in their own folder. */
export const unbundled: ReadonlyArray<string> = [
  "@vscode/ripgrep",
  "@lancedb/lancedb",
  "@napi-rs/keyring",
  "apache-arrow",
  "@bough/embedding-static",
  "web-tree-sitter",
  "tree-sitter-bash"
]
