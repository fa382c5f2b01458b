import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";

export const contentTypes: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** The files below /assets have a hash in their names and never change. */
export function addFiles(app: FastifyInstance, folder: string, compressed: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith(".")) continue;
    const path = join(entry.parentPath, entry.name);
    const url = path.slice(folder.length).replaceAll("\\", "/");
    const hashed = url.startsWith("/assets/");
    const brotli = existsSync(join(compressed, url)) && { brotli: join(compressed, url) };
    app.get(url, { config: { cache: "immutable", ...brotli } }, async (_request, reply) =>
      reply
        .type(contentTypes[extname(path)] ?? "application/octet-stream")
        .header("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600")
        .send(await readFile(path)),
    );
  }
}
