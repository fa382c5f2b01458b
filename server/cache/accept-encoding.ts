import { LRUCache } from "lru-cache";

export type Encoding = "br" | "zstd" | "gzip" | "identity";

/** browsers send a handful of different headers */
const parsed = new LRUCache<string, Accepted>({ max: 100 });
const MAX_HEADER_LENGTH = 200;

export interface Accepted {
  smallest: Encoding;
  fastest: Encoding;
}

const IDENTITY_ONLY: Accepted = { smallest: "identity", fastest: "identity" };

/** RFC 9110, section 12.5.3. */
export function acceptedEncodings(header: string | undefined): Accepted {
  if (!header || header.length > MAX_HEADER_LENGTH) return IDENTITY_ONLY;
  let accepted = parsed.get(header);
  if (!accepted) {
    accepted = parse(header);
    parsed.set(header, accepted);
  }
  return accepted;
}

function parse(header: string): Accepted {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
    weights.set(coding, Number(weight) || 0);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  const most = Math.max(weightOf("br"), weightOf("zstd"), weightOf("gzip"));
  const preferred = (codings: Encoding[]) =>
    (most > 0 && codings.find((coding) => weightOf(coding) === most)) || "identity";
  return { smallest: preferred(["br", "zstd", "gzip"]), fastest: preferred(["zstd", "br", "gzip"]) };
}
