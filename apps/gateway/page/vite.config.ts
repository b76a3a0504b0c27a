/** Builds the page. Paths are relative, so that the same files work under every path prefix. */
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    target: "es2023",
    // A data: URL in a style sheet would be inline content, which the server's policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  }
})
