/** Each provider's answer, and its expected request. */
import type { Providers } from "@bough/network"

interface Sample {
  readonly body: string
  /** Parts of the request line, the headers as JSON, or the body. */
  readonly asks: ReadonlyArray<string>
}

const first = "https://rivers.test/bends?a=1&b=2"
const second = "https://roads.test/"
const query = "q=bent+rivers+%26+roads"

const counted = (url: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=0a`

export const answers: Readonly<Record<Providers.Name, Sample>> = {
  tavily: {
    body: JSON.stringify({
      results: [
        { title: "Bends & bows", url: first, content: "Why rivers bend", score: 0.9 },
        { title: "Roads", url: second, content: "" },
        { title: "One too many", url: second, content: "" }
      ]
    }),
    asks: ["POST /search", "Bearer key-5d10", '"query":"bent rivers & roads"', '"max_results":2']
  },
  google: {
    body: JSON.stringify({
      items: [
        { title: "Bends & bows", link: first, snippet: "Why rivers bend" },
        { title: "Roads", link: second }
      ]
    }),
    asks: [query, "cx=engine-1", "num=2", '"x-goog-api-key":"key-5d10"']
  },
  bing: {
    body: JSON.stringify({
      webPages: {
        value: [
          { name: "Bends & bows", url: first, snippet: "Why rivers bend" },
          { name: "Roads", url: second }
        ]
      }
    }),
    asks: [query, "count=2", '"ocp-apim-subscription-key":"key-5d10"']
  },
  brave: {
    body: JSON.stringify({
      web: {
        results: [
          { title: "Bends &amp; bows", url: first, description: "Why <strong>rivers</strong> bend" },
          { title: "Roads", url: second }
        ]
      }
    }),
    asks: [query, "count=2", '"x-subscription-token":"key-5d10"']
  },
  searxng: {
    body: JSON.stringify({
      results: [
        { title: "Bends & bows", url: first, content: "Why rivers bend", engine: "some" },
        { title: "Roads", url: second, content: null }
      ]
    }),
    asks: [query, "format=json"]
  },
  duckduckgo: {
    body: `<html><body>
      <a rel="nofollow" class="result__a" href="//duckduckgo.com/y.js?ad_domain=ads.test">Bought</a>
      <a rel="nofollow" class="result__a" href="${counted(first)}"><b>Bends</b> &amp; bows</a>
      <a class="result__snippet" href="${counted(first)}">Why <b>rivers</b>
        bend</a>
      <a rel="nofollow" class="result__a" href="${counted(second)}">Roads</a></body></html>`,
    asks: ["GET /search", query]
  }
}
