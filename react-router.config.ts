import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // lazy discovery requests the routes of all links on a page in one URL, which then names every order on it
  routeDiscovery: { mode: "initial" },
} satisfies Config;
