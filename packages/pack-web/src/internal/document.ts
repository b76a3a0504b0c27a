/** The members of linkedom's document tree that are used here. Its parser runs no scripts and sends no requests. */
import * as linkedom from "linkedom"

export interface Element {
  readonly nodeType: number
  readonly localName: string
  readonly childNodes: ReadonlyArray<Element>
  readonly textContent: string | null
  readonly innerHTML: string
  readonly getAttribute: (name: string) => string | null
  readonly setAttribute: (name: string, value: string) => void
  readonly removeAttribute: (name: string) => void
  readonly querySelector: (selector: string) => Element | null
  readonly querySelectorAll: (selector: string) => Iterable<Element>
  readonly remove: () => void
}

export interface Tree extends Element {
  readonly title: string
  readonly body: Element
  readonly documentElement: Element
}

// linkedom's own declarations require those of the browser, so only the used members are declared here.
const { parseHTML } = linkedom as unknown as { readonly parseHTML: (html: string) => { readonly document: Tree } }

export const parse = (html: string): Tree =>
  // Without a root element, the parser makes no body.
  parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`).document

/** Selects elements that are invisible to readers of the page, or are not text. */
const unseen =
  "title,script,style,noscript,template,iframe,object,embed,canvas,svg,math,form,button,input,select,textarea,[hidden],[aria-hidden=true]"

export const removeUnseen = (tree: Tree): void => {
  for (const element of tree.querySelectorAll(unseen)) element.remove()
}

/** Makes links absolute; a link to something that is not a page loses its target. */
export const makeLinksAbsolute = (tree: Tree, url: string): void => {
  const base = URL.parse(tree.querySelector("base[href]")?.getAttribute("href") ?? "", url)?.href ?? url
  for (const link of tree.querySelectorAll("a[href]")) {
    const to = URL.parse(link.getAttribute("href") ?? "", base)
    if (to !== null && /^(https?|mailto):$/.test(to.protocol)) link.setAttribute("href", to.href)
    else link.removeAttribute("href")
  }
}
