import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import { addFiles } from "./files.ts";
import { type OptimizeHtml, optimizeHtml } from "./optimize-html.ts";

export interface PageSource {
  mode: "production" | "development";
  /** A function in development: each edit makes another build. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  addFiles(app: FastifyInstance): Promise<void>;
  optimize: OptimizeHtml;
}

const clientFolder = fileURLToPath(new URL("../../build/client", import.meta.url));
const compressedFolder = fileURLToPath(new URL("../../build/brotli", import.meta.url));
const stylesheets = fileURLToPath(new URL("../../build/server/stylesheets.json", import.meta.url));
const serverBuild = new URL("../../build/server/index.js", import.meta.url);

export async function openPages(): Promise<PageSource> {
  if (process.env.NODE_ENV === "development") return (await import("./dev-pages.ts")).devPages();
  return {
    mode: "production",
    build: (await import(serverBuild.href)) as ServerBuild,
    addFiles: async (app) => addFiles(app, clientFolder, compressedFolder),
    optimize: optimizeHtml(stylesheets),
  };
}
