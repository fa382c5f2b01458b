/** A minimal authenticator app. */
import { createHmac } from "node:crypto";

/** The six digits now, or `later` half-minutes later; the store accepts those of one later too. */
export function codeOf(uri: string, later = 0): string {
  const base32 = new URL(uri).searchParams.get("secret") ?? "";
  const bits = [...base32].map((sign) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"),
  );
  const key = Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const mac = createHmac("sha1", key).update(counter).digest();
  const at = (mac.at(-1) as number) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
