import { LRUCache } from "lru-cache";

export type Encoding = "br" | "gzip" | "identity";

/** Browsers send a handful of different headers, on every request. */
const parsed = new LRUCache<string, Encoding>({ max: 100 });
const LONGEST_HEADER = 200;

/** The best encoding that an Accept-Encoding header allows (RFC 9110, section 12.5.3). */
export function encodingFor(header: string | undefined): Encoding {
  if (!header || header.length > LONGEST_HEADER) return "identity";
  let encoding = parsed.get(header);
  if (!encoding) {
    encoding = parse(header);
    parsed.set(header, encoding);
  }
  return encoding;
}

function parse(header: string): Encoding {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
    weights.set(coding, Number(weight) || 0);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  if (weightOf("br") > 0 && weightOf("br") >= weightOf("gzip")) return "br";
  return weightOf("gzip") > 0 ? "gzip" : "identity";
}
