/** A browser without a screen: it holds cookies per host and follows redirects until one leads to `stopAt`. */
export interface Browser {
  readonly visit: (url: string, headers: Readonly<Record<string, string>>, stopAt: string) => Promise<URL>
}

export const make = (): Browser => {
  const jars = new Map<string, Map<string, string>>()

  const jarOf = (url: URL): Map<string, string> => {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    return jar
  }

  const visit: Browser["visit"] = async (start, headers, stopAt) => {
    let url = new URL(start)
    for (let hops = 0; hops < 10; hops++) {
      if (url.href.startsWith(stopAt)) return url
      const jar = jarOf(url)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(url, { redirect: "manual", headers: { ...headers, cookie } })
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
        if (value === "") jar.delete(name)
        else jar.set(name, value)
      }
      const location = response.headers.get("location")
      if (location === null) throw new Error(`${url.href} answered ${response.status}: ${await response.text()}`)
      url = new URL(location, url)
    }
    throw new Error(`${start} redirects without end`)
  }
  return { visit }
}
