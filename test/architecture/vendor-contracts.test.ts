/**
 * Every use of a library's undocumented internals. If an upgrade fails a test here, the named file must be reviewed
 * before the upgrade is merged.
 */
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { API_VERSION as SANDBOX_API_VERSION } from "@stator/stripe-sandbox/api-version";
import { getSchema } from "better-auth/db";
import { genericOAuth, twoFactor } from "better-auth/plugins";
import PDFDocument from "pdfkit";
import pino from "pino";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCRIPT_LOST } from "../../app/performance/script-lost.ts";
import { findBinaries } from "../../database/embedded/binaries.ts";
import { openFont } from "../../providers/documents/fonts.ts";
import {
  connectIdentity,
  EXPECTED_MESSAGES,
  type Identity,
} from "../../providers/identity/connect-identity.ts";
import { API_VERSION } from "../../providers/payment/stripe.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { files } from "./imports.ts";

/** Patterns of such uses, and the files that may have them. Each file has a test below. */
const USES: Record<string, { mark: RegExp; in: string[] }> = {
  "private tables of graphile-worker": {
    mark: /graphile_worker\._private/,
    in: [
      "database/job-queue.ts",
      "database/migrations/0008-mail-queue.sql",
      "database/migrations/0041-orders.sql",
      "database/migrations/0061-trace-of-an-email.sql",
      "database/worker-lock.ts",
      "shop/emails/failed-emails.ts",
      "shop/orders/correct-tracking.ts",
      "shop/orders/ship.ts",
      "shop/reconciliation/invariants.ts",
      "shop/reconciliation/repair.ts",
    ],
  },
  "code inside packages": {
    mark: /[\\/]dist[\\/]|routeModules|node_modules\/(?!\.|node\/)[@\w]/,
    in: ["app/styles/leaflet.css", "bin/licenses.mjs", "vite.config.ts"],
  },
  "HTML of React Router": {
    mark: /rel="(modulepreload|later)"|type="module" async/,
    in: ["app/performance/head-script.ts", "server/http/optimize-html.ts"],
  },
  "internals of Node": {
    mark: /(?<!graphile_worker)\._(?!id\b)[a-z]|process\.binding/,
    in: ["bin/prepare.mjs"],
  },
  "the context of Better Auth": {
    mark: /internalAdapter|\$context|socialProviders|createAuthCookie|\.hooks\.after|plugin\.init/,
    in: [
      "providers/identity/before-hooks.ts",
      "providers/identity/codes.ts",
      "providers/identity/connect-identity.ts",
      "providers/identity/google.ts",
      "providers/identity/second-factor.ts",
      "server/first-admin.ts",
      "server/http/api-handlers/account-handlers.ts",
    ],
  },
  "messages of pg": {
    mark: /timeout exceeded when trying|Connection terminated/,
    in: ["database/connection-error.ts", "database/unavailability.ts"],
  },
  "a type that a library does not declare": {
    mark: /as unknown as (PDFKit|PostgresPool|ServerOptions)|\} as PostgresPool/,
    in: [
      "providers/documents/canvas.ts",
      "providers/identity/connect-identity.ts",
      "server/cache/response-cache.ts",
    ],
  },
  "lines that pino has not written": { mark: /\b_bufs\b/, in: ["server/log.ts"] },
  "listeners of Vite": { mark: /process\.listeners/, in: ["server/http/dev-pages.ts"] },
};

const root = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");
const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\/|^\s*(\/\/|--).*$/gm, "");
const packageFile = (path: string) => textOf(`node_modules/${path}`);

describe("uses of internals", () => {
  const searched = [
    ...files,
    ...globSync("{bin/*.mjs,database/migrations/*.sql,app/styles/*.css,vite.config.ts}", { cwd: root }),
  ].sort();

  test.each(Object.entries(USES))("%s: only where they are listed", (_, { mark, in: listed }) => {
    expect(searched.filter((path) => mark.test(withoutComments(textOf(path))))).toEqual(listed);
  });
});

let store: TestStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.stop());

describe("Stripe", () => {
  test("store, sandbox, library and Stripe.js use one API version", () => {
    expect(SANDBOX_API_VERSION).toBe(API_VERSION);
    expect(Stripe.API_VERSION).toBe(API_VERSION);
    expect(textOf("app/pages/payment/stripe-js.ts")).toContain(
      `https://js.stripe.com/${API_VERSION.split(".")[1]}/stripe.js`,
    );
  });
});

describe("React Router and Vite", () => {
  let html: string;
  beforeAll(async () => {
    html = await (await fetch(`${store.url}/login`)).text();
  });

  test("a page is reloaded in one place when its script is missing (vite.config.ts)", () => {
    const module = packageFile("react-router/dist/production/lib/dom/ssr/routeModules.js");
    expect(module.split("window.location.reload();")).toHaveLength(2);
    const scripts = globSync("build/client/assets/*.js", { cwd: root }).map(textOf);
    const [loader, ...others] = scripts.filter((code) => code.includes("Error loading route module"));
    expect(others).toEqual([]);
    expect(loader).toContain(SCRIPT_LOST);
  });

  test("scripts and stylesheets have the markup that is deferred (optimize-html.ts)", () => {
    expect(html.match(/<script type="later">/g)).toHaveLength(1);
    expect(html.match(/<link rel="later"/g)?.length).toBeGreaterThan(1);
    expect(html).toMatch(/<link rel="stylesheet" href="[^"]+" media="print"\/>/);
    expect(html).not.toMatch(/<script type="module"|<link rel="modulepreload"/);
  });

  test("the data of a page is at its path with .data (server/http/pages.ts)", async () => {
    const response = await fetch(`${store.url}/portfolio.data`);
    expect(response.headers.get("content-type")).toMatch(/^text\/x-script/);
  });

  test("Vite listens for SIGTERM outside of middleware mode (dev-pages.ts)", () => {
    const code = globSync("node_modules/vite/dist/node/chunks/*.js", { cwd: root }).map(textOf).join("");
    expect(code).toContain('process.once("SIGTERM", parentSigtermCallback)');
  });
});

test("graphile-worker's tables and functions are those that the statements use (database/job-queue.ts)", async () => {
  const { rows: columns } = await store.pool.query<{ column: string }>(
    `SELECT table_name || '.' || column_name || ' ' || data_type AS column FROM information_schema.columns
     WHERE table_schema = 'graphile_worker' AND table_name IN ('_private_jobs', '_private_tasks')
     ORDER BY table_name, ordinal_position`,
  );
  expect(columns.map(({ column }) => column.replace("_private_", ""))).toEqual([
    "jobs.id bigint",
    "jobs.job_queue_id integer",
    "jobs.task_id integer",
    "jobs.payload json",
    "jobs.priority smallint",
    "jobs.run_at timestamp with time zone",
    "jobs.attempts smallint",
    "jobs.max_attempts smallint",
    "jobs.last_error text",
    "jobs.created_at timestamp with time zone",
    "jobs.updated_at timestamp with time zone",
    "jobs.key text",
    "jobs.locked_at timestamp with time zone",
    "jobs.locked_by text",
    "jobs.revision integer",
    "jobs.flags jsonb",
    "jobs.is_available boolean",
    "tasks.id integer",
    "tasks.identifier text",
  ]);
  const { rows: available } = await store.pool.query<{ formula: string }>(
    `SELECT generation_expression AS formula FROM information_schema.columns
     WHERE table_schema = 'graphile_worker' AND table_name = '_private_jobs' AND column_name = 'is_available'`,
  );
  expect(available).toEqual([{ formula: "((locked_at IS NULL) AND (attempts < max_attempts))" }]);
  const { rows: functions } = await store.pool.query<{ name: string }>(
    `SELECT proname || '(' || pg_get_function_identity_arguments(oid) || ')' AS name FROM pg_proc
     WHERE pronamespace = 'graphile_worker'::regnamespace
       AND proname IN ('add_job', 'reschedule_jobs', 'force_unlock_workers') ORDER BY 1`,
  );
  expect(functions.map(({ name }) => name)).toEqual([
    "add_job(identifier text, payload json, queue_name text, run_at timestamp with time zone, " +
      "max_attempts integer, job_key text, priority integer, flags text[], job_key_mode text)",
    "force_unlock_workers(worker_ids text[])",
    "reschedule_jobs(job_ids bigint[], run_at timestamp with time zone, " +
      "priority integer, attempts integer, max_attempts integer)",
  ]);
});

describe("Better Auth", () => {
  let identity: Identity;
  let context: Awaited<Identity["$context"]>;
  beforeAll(async () => {
    identity = connectIdentity({
      pool: store.pool,
      publicUrl: "http://localhost:3000",
      otherOrigins: [],
      secret: "a secret of thirty-two characters",
      requireVerifiedEmail: false,
      google: null,
      report: (message) => expect.fail(message),
      sendEmail: async () => undefined,
      isDisabled: async () => false,
      needsSecondFactor: async () => false,
      recordEvent: async () => undefined,
      mayNotify: async () => false,
      mayConfirm: async () => true,
      idleHours: 1,
    });
    context = await identity.$context;
  });

  test("has every path that hooks, rate limits and pages name", () => {
    const known = Object.values(identity.api).map((endpoint) => (endpoint as { path?: string }).path ?? "");
    const named = files.flatMap((file) => {
      const code = withoutComments(textOf(file));
      const paths = /^providers\/identity|^server\/auth\/rate-limit-rules/.test(file)
        ? code.matchAll(/"(\/[a-z-]+(?:\/[a-z-]+)*\/?)"/g)
        : code.matchAll(/["`]\/api\/auth(\/[a-z-]+(?:\/[a-z-]+)*\/?)/g);
      return [...paths].map(([, path]) => path as string);
    });
    const own = ["/login", "/api/auth"];
    const unknown = new Set(named).difference(new Set([...known, ...own]));
    expect([...unknown].filter((path) => !known.some((one) => one.startsWith(path)))).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(25);
  });

  test("has no table or column that the migrations lack", async () => {
    const { rows } = await store.pool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'identity'`,
    );
    const expected = Object.entries(getSchema(identity.options)).flatMap(([table, { fields }]) =>
      ["id", ...Object.keys(fields)].map((field) => `${table}.${field}`),
    );
    expect(expected.length).toBeGreaterThan(40);
    expect(expected.filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
  });

  test("logs the messages that are not failures of the store (connect-identity.ts)", () => {
    const code = globSync("node_modules/{better-auth,@better-auth/*}/dist/**/*.mjs", { cwd: root })
      .map(textOf)
      .join("");
    for (const message of [
      "email_not_verified",
      "signup disabled",
      "Failed to parse state",
      "State not found",
      "Code not found",
      "Unable to link account",
      "INVALID_CALLBACK_REQUEST",
      "Unable to get user info",
      "Failed to verify registration",
      "Failed to verify authentication",
      "Invalid token",
      "Invalid origin",
      "Missing or null",
    ]) {
      expect(code, message).toContain(message);
      expect(EXPECTED_MESSAGES.test(message), message).toBe(true);
    }
    expect(code).toContain("account not linked");
  });

  test("names its cookies as they are read (identity-routes.ts, codes.ts)", () => {
    expect(context.authCookies.sessionToken.name).toMatch(/session_token$/);
    expect(packageFile("better-auth/dist/plugins/two-factor/constant.mjs")).toContain('"two_factor"');
  });

  test("plugins can be extended (second-factor.ts, google.ts)", () => {
    expect(twoFactor().hooks.after.map((hook) => Object.keys(hook).sort())).toEqual([["handler", "matcher"]]);
    expect(genericOAuth({ config: [] }).init).toBeTypeOf("function");
    expect(context.socialProviders).toEqual([]);
  });

  test("returns the accounts that the store reads", () => {
    for (const name of [
      "deleteUserSessions",
      "findAccounts",
      "findCredentialAccount",
      "findUserByEmail",
      "findUserById",
      "findVerificationValue",
      "updateUser",
    ] as const)
      expect(context.internalAdapter[name], name).toBeTypeOf("function");
    expect(context.createAuthCookie("two_factor").name).toBe("stator.two_factor");
  });
});

test("pg reports lost and missing connections with these messages (database/unavailability.ts)", () => {
  const pool = packageFile("pg-pool/index.js");
  const client = packageFile("pg/lib/client.js");
  expect(pool).toContain("timeout exceeded when trying to connect");
  expect(pool).toContain("due to connection timeout");
  for (const message of [
    "Connection terminated",
    "Client has encountered a connection error and is not queryable",
    "Client was closed and is not queryable",
  ])
    expect(client).toContain(message);
});

test("the package of the embedded PostgreSQL has the programs and the list of links", () => {
  const { native, version } = findBinaries(store.dataDir);
  expect(version).toMatch(/^18\./);
  for (const file of ["bin/initdb", "bin/pg_ctl", "bin/postgres", "lib", "share"])
    expect(existsSync(`${native}/${file}`), file).toBe(true);
});

test("Node gives a listening socket a descriptor (bin/prepare.mjs)", async () => {
  const server = createServer().listen(0);
  await once(server, "listening");
  expect((server as unknown as { _handle: { fd: number } })._handle.fd).toBeGreaterThan(2);
  server.close();
});

test("pino keeps the lines that wait in a list of strings (log.ts)", () => {
  const output = pino.destination({ dest: 1, minLength: 1000 });
  output.write("waiting\n");
  expect(Reflect.get(output, "_bufs")).toEqual(["waiting\n"]);
  Reflect.get(output, "_bufs").length = 0;
});

test("pdfkit accepts an open font (canvas.ts)", () => {
  const font = openFont("@fontsource/archivo/files/archivo-latin", 400);
  const doc = new PDFDocument();
  doc.registerFont("open", font as unknown as PDFKit.Mixins.PDFFontSource).font("open", 10);
  expect(doc.widthOfString("Stator")).toBeGreaterThan(20);
});

test("Leaflet has the classes that are styled (map.css)", () => {
  const css = packageFile("leaflet/dist/leaflet.css");
  for (const [name] of textOf("app/styles/map.css").matchAll(/\.leaflet-[a-z-]+/g))
    expect(css).toContain(name);
});
