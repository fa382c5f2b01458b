/** During a rolling deploy a page of one build may request its scripts from a node with another (ASSETS_DIR). */
import { constants } from "node:fs";
import { copyFile, readdir, readFile, rename } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { makeFolder } from "../../database/embedded/folder.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { InvalidEnvironment } from "../config.ts";
import { contentTypes } from "./files.ts";
import { sendProblem } from "./problem.ts";

const NAME = /^[\w-][\w.-]{0,199}$/;

export async function shareAssets(from: string, shared: string): Promise<void> {
  try {
    makeFolder(shared);
    const known = new Set(await readdir(shared));
    for (const name of await readdir(from)) {
      if (known.has(name) || !NAME.test(name)) continue;
      // another node must not read half a file
      const part = join(shared, `.${name}.${process.pid}.${Date.now()}`);
      await copyFile(join(from, name), part, constants.COPYFILE_EXCL);
      await rename(part, join(shared, name));
    }
  } catch (error) {
    throw new InvalidEnvironment(`ASSETS_DIR: ${(error as Error).message}`);
  }
}

export function addSharedAssets(app: FastifyInstance, shared: string): void {
  app.get<{ Params: { name: string } }>(
    "/assets/:name",
    { config: { cache: "immutable" } },
    async ({ params: { name } }, reply) => {
      const type = NAME.test(name) && contentTypes[extname(name)];
      const bytes = type ? await readOrNull(join(shared, name)) : null;
      if (!type || !bytes) return sendProblem(reply, 404, refusals.notFound);
      return reply.type(type).header("Cache-Control", "public, max-age=31536000, immutable").send(bytes);
    },
  );
}

async function readOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
