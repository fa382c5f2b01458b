import { encodeQR } from "qr";

/** A QR code as one SVG path, and its width in modules with the quiet zone. */
export interface QrShape {
  path: string;
  size: number;
}

/** Error correction M; each run of dark modules in a row is one rectangle. */
export function qrShapeOf(text: string): QrShape {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  let path = "";
  for (const [y, row] of rows.entries()) {
    for (let x = row.indexOf(true); x >= 0; ) {
      const end = row.indexOf(false, x);
      path += `M${x} ${y}h${end - x}v1h${x - end}z`;
      x = row.indexOf(true, end);
    }
  }
  return { path, size: rows.length };
}
