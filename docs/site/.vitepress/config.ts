/** The site: every document of the repository as a page, with the links between them unchanged. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitepress"
import { localLinks, pageOf } from "../links.ts"
import { sidebar } from "../sidebar.ts"

export default defineConfig({
  title: "Bough",
  description: "A coding agent for the terminal, and the TypeScript runtime that it is made of",
  srcDir: fileURLToPath(new URL("../../..", import.meta.url)),
  srcExclude: ["README.md", ".changeset/**", "**/{node_modules,dist,test,typetest,fixtures}/**", "docs/site/**"],
  outDir: fileURLToPath(new URL("../dist", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../node_modules/.cache/vitepress", import.meta.url)),
  rewrites: pageOf,
  cleanUrls: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  lastUpdated: false,
  // Links to files that are not pages are shown as text (links.ts); each remaining link must lead to a page.
  ignoreDeadLinks: false,
  // The documents contain no HTML: text that looks like HTML stays text.
  markdown: { html: false, attrs: { disable: true }, config: localLinks },
  vite: {
    // The pages are outside of this folder, so they cannot import the packages of the site by name.
    plugins: [
      {
        name: "packages-of-the-site",
        enforce: "pre",
        resolveId(id, importer, options) {
          const isPage = importer !== undefined && importer.endsWith(".md")
          return isPage && /^vue(?:$|\/)/u.test(id) ? this.resolve(id, import.meta.filename, options) : null
        }
      }
    ],
    build: { chunkSizeWarningLimit: 4000 }
  },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Guide", link: "/install" },
      { text: "Configuration", link: "/configuration" },
      { text: "Gateway", link: "/gateway" },
      { text: "Packages", link: "/packages" }
    ],
    sidebar,
    outline: [2, 3]
  }
})
