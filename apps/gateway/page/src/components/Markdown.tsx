/**
 * A model's Markdown. HTML in it is shown as text. The names of images are shown, but images are not loaded. A link
 * opens only on a click, in a window that receives no information about this page.
 */
import { type AnchorHTMLAttributes, type ImgHTMLAttributes, memo } from "react"
import ReactMarkdown, { type Components } from "react-markdown"
import remarkGfm from "remark-gfm"
import * as MarkdownBlocks from "../model/MarkdownBlocks.ts"
import { Code } from "./Code.tsx"

const hostOf = (address: string | undefined): string => (URL.canParse(address ?? "") ? new URL(address ?? "").host : "")

const isWeb = (address: string | undefined): boolean => /^(?:https?|mailto):/iu.test(address ?? "")

const Outward = ({ children, href }: AnchorHTMLAttributes<HTMLAnchorElement>) =>
  isWeb(href) ? (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    <span title={href}>{children}</span>
  )

const NamedImage = ({ alt, src }: ImgHTMLAttributes<HTMLImageElement>) => {
  const address = typeof src === "string" ? src : undefined
  const name = `image: ${alt === undefined || alt === "" ? "without a name" : alt}`
  return (
    <span className="named-image">
      {isWeb(address) ? <Outward href={address}>{`${name} (${hostOf(address)})`}</Outward> : name}
    </span>
  )
}

const components: Components = {
  a: ({ children, href }) => <Outward href={href}>{children}</Outward>,
  // The page itself uses the two highest levels of headings.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  img: ({ alt, src }) => <NamedImage alt={alt} src={src} />,
  // Only task lists have inputs.
  input: ({ checked }) => (
    <input
      type="checkbox"
      checked={checked === true}
      disabled
      readOnly
      aria-label={checked === true ? "done" : "open"}
    />
  ),
  table: ({ children }) => (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => <Code>{children}</Code>
}

const plugins = [remarkGfm]

const Block = memo(({ text }: { readonly text: string }) => (
  <ReactMarkdown components={components} remarkPlugins={plugins}>
    {text}
  </ReactMarkdown>
))

export const Markdown = memo(({ text }: { readonly text: string }) => (
  <div className="markdown">
    {MarkdownBlocks.split(text).map((block, index) => (
      <Block key={index} text={block} />
    ))}
  </div>
))
