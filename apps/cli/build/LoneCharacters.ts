/** Latin letters, dashes, arrows, lines, spinners: each a character by itself, one cell wide. As a class of a regular expression. */
export const oneCellEach = String.raw`\u0020-\u007E\u00A1-\u00A8\u00AB\u00AC\u00AF-\u02FF\u2010-\u2027\u2030-\u203B\u2190-\u2193\u2500-\u257F\u2581-\u258F\u25B2-\u25B5\u25B8\u25B9\u2713\u2717\u2800-\u28FF`

/** Between two of these there is always a boundary: controls as well, but for a carriage return. */
export const lone = String.raw`\u0000-\u000C\u000E-\u001F${oneCellEach}`
