/** URLs that no agent should reach, and the reason of their refusal. `PORT` is a service that counts its visitors. */

export interface Refused {
  readonly url: string
  readonly reason: string
  /** The answers of the name server for its names. */
  readonly zone?: Readonly<Record<string, ReadonlyArray<string>>>
}

const near = (...urls: ReadonlyArray<string>): ReadonlyArray<Refused> =>
  urls.map((url) => ({ url, reason: "PrivateAddress" }))

const spellings = near(
  "http://127.0.0.1:PORT/",
  "http://LOCALHOST.:PORT/",
  "http://app.localhost:PORT/",
  "http://127.1:PORT/",
  "http://0x7f.1:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f000001:PORT/",
  "http://127.0.0.1.:PORT/",
  "http://0:PORT/",
  "http://0.0.0.0:PORT/",
  "http://[::]:PORT/",
  "http://[::1]:PORT/",
  "http://[0:0:0:0:0:0:0:1]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "http://[64:ff9b::7f00:1]:PORT/",
  "http://[2002:7f00:1::]:PORT/",
  "http://[::127.0.0.1]:PORT/",
  "http://①②⑦.⓪.⓪.①:PORT/",
  "http://１２７.0.0.1:PORT/",
  "http://127%2e0.0.1:PORT/",
  "http://127。0。0。1:PORT/"
)

const places = near(
  "http://169.254.169.254/latest/meta-data/",
  "http://[fe80::a9fe:a9fe]/",
  "http://[fd00:ec2::254]/",
  "http://metadata.google.internal/",
  "http://metadata.goog/",
  "http://100.100.100.200/",
  "http://168.63.129.16/",
  "http://100.64.0.1/",
  "http://10.1.2.3/",
  "http://172.31.255.254/",
  "http://192.168.1.1/",
  "http://198.18.0.1/",
  "http://192.0.2.7/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://[fe80::1]/",
  "http://[fc00::1]/",
  "http://[ff02::1]/",
  "http://[2001:db8::1]/",
  "http://[2001:0:7f00:1::]/"
)

const named: ReadonlyArray<Refused> = [
  { url: "http://multi.test/", reason: "PrivateAddress", zone: { "multi.test": ["93.184.216.34", "127.0.0.1"] } },
  { url: "http://six.test/", reason: "PrivateAddress", zone: { "six.test": ["93.184.216.34", "0:0:0:0:0:0:0:1"] } },
  { url: "http://inside.test/", reason: "PrivateAddress", zone: { "inside.test": ["10.0.0.7"] } },
  { url: "http://cloud.test/", reason: "PrivateAddress", zone: { "cloud.test": ["169.254.169.254"] } },
  { url: "http://nowhere.test/", reason: "NameNotFound" },
  { url: "http://ssh.test:22/", reason: "Port", zone: { "ssh.test": ["93.184.216.34"] } }
]

const spelt = (reason: string, ...urls: ReadonlyArray<string>): ReadonlyArray<Refused> =>
  urls.map((url) => ({ url, reason }))

export const refusedUrls: ReadonlyArray<Refused> = [
  ...spellings,
  ...places,
  ...named,
  ...spelt(
    "Scheme",
    "file:///etc/passwd",
    "ftp://public.test/",
    "gopher://public.test/",
    "data:text/html,<script>",
    "javascript:alert(1)",
    "unix:/run/docker.sock",
    "ws://127.0.0.1:PORT/",
    "blob:http://127.0.0.1:PORT/x"
  ),
  ...spelt(
    "UserInfo",
    "http://user:pass@public.test/",
    "http://127.0.0.1:PORT@public.test/",
    "http://user@public.test/"
  ),
  ...spelt(
    "BadUrl",
    "http://public.test\\@127.0.0.1:PORT/",
    "http://public.test /",
    "http://public\n.test/",
    "http://public.test/\0",
    "http://public.test%00.example/",
    "http:public.test/",
    "http:///127.0.0.1:PORT/",
    "//127.0.0.1:PORT/",
    "/etc/passwd",
    "",
    `http://public.test/${"a".repeat(9000)}`
  )
]
