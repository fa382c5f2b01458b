import type { Plugin } from "vite";

/**
 * Functions of the router for unused features, and their replacements in the browser: with their dependencies, 3 kB
 * less script on every page. A function that a new version of the router does not have fails the build.
 */
const replacements: Record<string, Record<string, string>> = {
  // react-router.config.ts chooses initial route discovery
  "dom/ssr/fog-of-war": {
    isFogOfWarEnabled: "false",
    getPatchRoutesOnNavigationFunction: "undefined",
    useFogOFWarDiscovery: "undefined",
    getPartialManifest: "undefined",
  },
  // the header marks the current page itself (components/header.tsx)
  "dom/lib": { NavLinkWithRef: "null" },
  // the store has no instrumentations
  "router/instrumentation": {
    consumeInstrumentationClientResultMetaReceiver: "undefined",
    getRouteInstrumentationUpdates: "({})",
    instrumentClientSideRouter: "router",
  },
};

const PART =
  /react-router[\\/]dist[\\/]production[\\/]lib[\\/](dom[\\/]ssr[\\/]fog-of-war|dom[\\/]lib|router[\\/]instrumentation)\.js$/;

export function leaveOutUnusedRouterParts(): Plugin {
  return {
    name: "leave-out-unused-router-parts",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: PART },
      handler(code, id) {
        const part = PART.exec(id)?.[1]?.replaceAll("\\", "/") ?? "";
        return Object.entries(replacements[part] ?? {}).reduce(replaceBody, code);
      },
    },
  };
}

function replaceBody(code: string, [name, result]: [string, string]): string {
  const body = new RegExp(`^(.*\\bfunction ${name}\\(.*\\)) \\{\\n[\\s\\S]*?^\\}`, "m");
  if (!body.test(code)) throw new Error(`The router no longer has the function ${name}.`);
  return code.replace(body, `$1 { return ${result}; }`);
}
