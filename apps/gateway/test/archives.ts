/** Archives for tests, byte by byte, so that they can contain what no archiver would write. */
import { crc32, deflateRawSync } from "node:zlib"

export interface TarEntry {
  readonly name: string
  readonly content?: string | Uint8Array
  /** The type flag: "0" a file, "5" a folder, "1" a hard link, "2" a link, "3" a device. */
  readonly type?: string
  readonly link?: string
  readonly mode?: string
}

const block = 512

const header = ({ content = "", link = "", mode = "0000644", name, type = "0" }: TarEntry): Buffer => {
  const bytes = Buffer.alloc(block)
  bytes.write(name, 0, 100)
  bytes.write(mode, 100)
  bytes.write("0000000", 108)
  bytes.write("0000000", 116)
  bytes.write(Buffer.byteLength(content).toString(8).padStart(11, "0"), 124)
  bytes.write("00000000000", 136)
  bytes.write("        ", 148)
  bytes.write(type, 156)
  bytes.write(link, 157, 100)
  bytes.write("ustar\u000000", 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
  return bytes
}

export const tar = (entries: ReadonlyArray<TarEntry>): Buffer =>
  Buffer.concat([
    ...entries.flatMap((entry) => {
      const content = Buffer.from(entry.content ?? "")
      return [header(entry), content, Buffer.alloc((block - (content.length % block)) % block)]
    }),
    Buffer.alloc(2 * block)
  ])

export interface ZipEntry {
  readonly name: string
  readonly content?: string | Uint8Array
  /** The mode of the file as Unix has it. */
  readonly mode?: number
  /** The size in the archive's header; default: the true one. */
  readonly size?: number
}

export const zip = (entries: ReadonlyArray<ZipEntry>): Buffer => {
  const parts: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let at = 0
  for (const { content = "", mode = 0o100644, name, size } of entries) {
    const raw = Buffer.from(content)
    const packed = deflateRawSync(raw)
    const written = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(0x800, 6)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(crc32(raw), 14)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(size ?? raw.length, 22)
    local.writeUInt16LE(written.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE((3 << 8) | 20, 4)
    central.writeUInt16LE(20, 6)
    central.writeUInt16LE(0x800, 8)
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(crc32(raw), 16)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(size ?? raw.length, 24)
    central.writeUInt16LE(written.length, 28)
    central.writeUInt32LE((mode << 16) >>> 0, 38)
    central.writeUInt32LE(at, 42)
    parts.push(local, written, packed)
    directory.push(central, written)
    at += local.length + written.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
