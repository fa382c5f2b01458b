/** Grants no access, only a separate counter of wrong passwords: strangers cannot lock the owner out. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";

export interface Devices {
  read(request: FastifyRequest, email: string): string | undefined;
  cookie(email: string): string;
}

const YEAR = 31_536_000;

export function openDevices(secret: string, secure: boolean): Devices {
  const name = secure ? "__Host-stator.device" : "stator.device";
  const sign = (deviceId: string, email: string) =>
    createHmac("sha256", secret).update(`${deviceId} ${email.toLowerCase()}`).digest("base64url");
  return {
    read(request, email) {
      for (const [, deviceId, signature] of (request.headers.cookie ?? "").matchAll(
        new RegExp(`(?:^|; )${name}=([\\w-]{22})\\.([\\w-]{43})`, "g"),
      )) {
        const expected = Buffer.from(sign(deviceId as string, email));
        if (timingSafeEqual(expected, Buffer.from(signature as string))) return deviceId;
      }
      return undefined;
    },
    cookie(email) {
      const deviceId = randomBytes(16).toString("base64url");
      return `${name}=${deviceId}.${sign(deviceId, email)}; Path=/; Max-Age=${YEAR}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
    },
  };
}
