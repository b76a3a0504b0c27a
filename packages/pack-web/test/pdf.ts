/** PDFs made by hand. */
import { deflateSync } from "node:zlib"

/** A small PDF with a page for each text. */
export const pdfOf = (title: string, pages: ReadonlyArray<string>): Buffer => {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`)
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((text, index) => {
      const drawn = `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`
      ]
    }),
    `<< /Title (${title}) >>`
  ]
  const offsets: Array<number> = []
  let text = "%PDF-1.4\n"
  objects.forEach((object, index) => {
    offsets.push(text.length)
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const start = text.length
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${table}`
  text += `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, "latin1")
}

/** A PDF of some kilobytes whose one page draws a letter `times` times: the reader keeps an object for each. */
export const pdfBomb = (times: number): Buffer => {
  const packed = deflateSync(Buffer.from("BT /F1 12 Tf (A) Tj ET ".repeat(times)), { level: 9 })
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
    `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed.toString("latin1")}\nendstream`
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("")
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n`, "latin1")
}
