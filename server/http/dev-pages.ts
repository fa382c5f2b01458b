import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerBuild } from "react-router";
import { createServer, isRunnableDevEnvironment, type ViteDevServer } from "vite";
import type { PageSource } from "./page-source.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** npm may install the packages of a workspace above the root. */
const packages = dirname(dirname(fileURLToPath(import.meta.resolve("vite/package.json"))));

export function devPages(): PageSource {
  let vite: ViteDevServer;
  return {
    mode: "development",
    async build() {
      const { ssr } = vite.environments;
      if (!isRunnableDevEnvironment(ssr)) throw new Error("Vite cannot run the pages in this process.");
      return ssr.runner.import<ServerBuild>("virtual:react-router/server-build");
    },
    async addFiles(app) {
      const listeners = process.listeners("SIGTERM");
      vite = await createServer({
        root,
        // finds all dependencies at the start: a later one would reload the open pages
        optimizeDeps: { entries: ["app/**/*.{ts,tsx}"] },
        server: {
          middlewareMode: true,
          hmr: { server: app.server },
          // secrets and database files are below the root
          fs: { allow: [root, packages], deny: ["**/data/**", "**/.env*", "**/.git/**"] },
        },
      });
      // React Router's second Vite server would end the process at once, without a graceful stop
      for (const listener of process.listeners("SIGTERM"))
        if (!listeners.includes(listener)) process.off("SIGTERM", listener);
      app.addHook("onRequest", (request, reply, done) => {
        vite.middlewares(request.raw, reply.raw, done);
      });
      // closes the websockets of open pages, which the server would wait for
      app.addHook("preClose", () => vite.close());
    },
    optimize: (html) => ({ html, styles: [] }),
  };
}
