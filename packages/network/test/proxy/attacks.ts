/** Bytes by which a command tries to reach `HIDDEN`, a port of this machine, through a proxy that lets it reach `open.test`. */

export interface Attack {
  readonly name: string
  readonly bytes: string
  /** The answers of the name server, if the attack needs them. */
  readonly zone?: Readonly<Record<string, ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>>>>
}

const lines = (...all: ReadonlyArray<string>): string => [...all, "", ""].join("\r\n")

const connecting = (authority: string, name = `CONNECT ${authority}`): Attack => ({
  name,
  bytes: lines(`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`)
})

const getting = (url: string, name = `GET ${url}`): Attack => ({
  name,
  bytes: lines(
    `GET ${url} HTTP/1.1`,
    `Host: ${url.replace(/^\w+:\/\//u, "").replace(/\/.*$/u, "")}`,
    "Connection: close"
  )
})

const hiddenRequest = lines("GET http://127.0.0.1:HIDDEN/ HTTP/1.1", "Host: 127.0.0.1:HIDDEN", "Connection: close")

/** A request to the allowed host with these headers about its length, and another one behind it. */
const framed = (name: string, ...headers: ReadonlyArray<string>): ReadonlyArray<Attack> => [
  {
    name,
    bytes:
      lines("POST http://open.test:OPEN/ HTTP/1.1", "Host: open.test:OPEN", ...headers) + `0\r\n\r\n${hiddenRequest}`
  }
]

const spellings = [
  "127.0.0.1",
  "localhost",
  "LOCALHOST.",
  "127.1",
  "0x7f.1",
  "0177.0.0.1",
  "2130706433",
  "0",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "１２７.0.0.1"
]

const places = [
  "169.254.169.254",
  "metadata.google.internal",
  "10.0.0.1",
  "192.168.1.1",
  "[fd00:ec2::254]",
  "100.100.100.200"
]

export const attacks: ReadonlyArray<Attack> = [
  ...spellings.map((host) => connecting(`${host}:HIDDEN`)),
  ...spellings.map((host) => getting(`http://${host}:HIDDEN/`)),
  ...places.map((host) => connecting(`${host}:443`)),
  ...places.map((host) => getting(`http://${host}/latest/meta-data/`)),
  connecting("open.test:HIDDEN", "another port of an allowed host"),
  connecting("open.test:22", "a port that is not of the web"),
  connecting("open.test@127.0.0.1:HIDDEN", "a user in the authority"),
  connecting("127.0.0.1:HIDDEN:OPEN", "two ports"),
  connecting("open.test:OPEN/../127.0.0.1:HIDDEN", "a path in the authority"),
  connecting("open.test\\127.0.0.1:HIDDEN", "a backslash in the authority"),
  connecting("open.test%00.127.0.0.1:HIDDEN", "an escaped NUL in the authority"),
  connecting("[::1%25lo]:HIDDEN", "a zone in the address"),
  connecting("http://127.0.0.1:HIDDEN/", "CONNECT to a URL"),
  connecting(":HIDDEN", "no host"),
  connecting("open.test", "no port"),
  connecting("open.test:0", "port 0"),
  connecting("open.test:99999", "a port that there is not"),
  { ...connecting("inner.test:HIDDEN", "a name that leads to this machine"), zone: { "inner.test": ["127.0.0.1"] } },
  {
    ...connecting("open.rebound.test:HIDDEN", "a name that leads elsewhere when it is asked again"),
    zone: { "open.rebound.test": [["93.184.216.34"], ["127.0.0.1"]] }
  },
  getting("http://open.test@127.0.0.1:HIDDEN/", "a user in the URL"),
  getting("http://127.0.0.1:HIDDEN\\@open.test:OPEN/", "a backslash in the URL"),
  getting("https://127.0.0.1:HIDDEN/", "https without a tunnel"),
  getting("ftp://127.0.0.1:HIDDEN/", "another scheme"),
  getting("gopher://127.0.0.1:HIDDEN/", "gopher"),
  getting("file:///etc/passwd", "a file"),
  getting("/", "origin form"),
  getting("http:127.0.0.1:HIDDEN/", "a URL without slashes"),
  getting("http:///127.0.0.1:HIDDEN/", "a URL with three slashes"),
  {
    name: "a Host header of another host",
    bytes: lines("GET http://open.test:OPEN/ HTTP/1.1", "Host: 127.0.0.1:HIDDEN", "Connection: close")
  },
  {
    name: "two Host headers",
    bytes: lines(
      "GET http://open.test:OPEN/ HTTP/1.1",
      "Host: open.test:OPEN",
      "Host: 127.0.0.1:HIDDEN",
      "Connection: close"
    )
  },
  {
    name: "a length and chunks",
    bytes:
      lines(
        "POST http://open.test:OPEN/ HTTP/1.1",
        "Host: open.test:OPEN",
        "Content-Length: 4",
        "Transfer-Encoding: chunked"
      ) + "0\r\n\r\nGET http://127.0.0.1:HIDDEN/ HTTP/1.1\r\nHost: 127.0.0.1:HIDDEN\r\n\r\n"
  },
  {
    name: "two lengths",
    bytes: lines(
      "POST http://open.test:OPEN/ HTTP/1.1",
      "Host: open.test:OPEN",
      "Content-Length: 0",
      "Content-Length: 5"
    )
  },
  {
    name: "a space before the colon",
    bytes: lines("GET http://open.test:OPEN/ HTTP/1.1", "Host : 127.0.0.1:HIDDEN", "Connection: close")
  },
  {
    name: "a folded header",
    bytes: lines(
      "GET http://open.test:OPEN/ HTTP/1.1",
      "Host: open.test:OPEN",
      "X: y",
      " Host: 127.0.0.1:HIDDEN",
      "Connection: close"
    )
  },
  {
    name: "a bare line feed in a header",
    bytes:
      "GET http://open.test:OPEN/ HTTP/1.1\nHost: open.test:OPEN\nX: a\nHost: 127.0.0.1:HIDDEN\nConnection: close\n\n"
  },
  {
    name: "a second request behind a refused one",
    bytes:
      lines("GET http://127.0.0.1:HIDDEN/ HTTP/1.1", "Host: 127.0.0.1:HIDDEN") +
      lines("GET http://localhost:HIDDEN/ HTTP/1.1", "Host: localhost:HIDDEN", "Connection: close")
  },
  connecting("127.0.0.1.:HIDDEN", "a dot behind an address"),
  connecting("open.test。127.0.0.1:HIDDEN", "an ideographic full stop"),
  connecting("+127.0.0.1:HIDDEN", "a sign before an address"),
  connecting("open.test:+HIDDEN", "a sign before a port"),
  connecting("[::ffff:0:7f00:1]:HIDDEN", "a translated address"),
  connecting("[64:ff9b:1::7f00:1]:HIDDEN", "an address of a local translator"),
  getting("http://open.test:OPEN#@127.0.0.1:HIDDEN/", "a fragment before a user"),
  getting("http://open.test:OPEN\t@127.0.0.1:HIDDEN/", "a tab in the URL"),
  ...framed("a chunk and an unknown encoding", "Transfer-Encoding: chunked, identity"),
  ...framed("an encoding that only resembles chunked", "Transfer-Encoding: xchunked"),
  ...framed("a control character before chunked", "Transfer-Encoding: \x0bchunked"),
  ...framed("a length with a sign", "Content-Length: +0"),
  ...framed("a hexadecimal length", "Content-Length: 0x0"),
  ...framed("a list of lengths", "Content-Length: 0, 0"),
  ...framed("a carriage return in a header", "X: a\rHost: 127.0.0.1:HIDDEN"),
  ...framed("a NUL in a header", "X: a\0Host: 127.0.0.1:HIDDEN"),
  {
    name: "tabs in the request line",
    bytes: lines("GET\thttp://open.test:OPEN/\tHTTP/1.1", "Host: open.test:OPEN", "Connection: close")
  },
  {
    name: "a chunk whose extension breaks its line",
    bytes:
      lines("POST http://open.test:OPEN/ HTTP/1.1", "Host: open.test:OPEN", "Transfer-Encoding: chunked") +
      `0;a=\nb\r\n\r\n${hiddenRequest}`
  },
  { name: "SOCKS 5", bytes: "\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01\x1f\x90" },
  { name: "SOCKS 4", bytes: "\x04\x01\x1f\x90\x7f\x00\x00\x01\x00" },
  { name: "HTTP/2 from the start", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" }
]
