import { isIP } from "node:net";
import { resolve } from "node:path";
import pg from "pg";
import { z } from "zod";
import { numeral } from "../api/fields.ts";
import { hostsOf } from "../database/hosts.ts";
import { editDistance } from "../shop/catalogue/index/edit-distance.ts";
import type { Seller } from "../shop/documents/seller.ts";
import { MIN_CONNECTIONS } from "./pool-sizes.ts";

/** Refuses with this sentence whatever check of the schema fails. What it repeats is printed: no secret. */
const valid = <Value>(schema: z.ZodType<Value>, refusal: (given: string) => string) =>
  z.string().transform((given, { addIssue }): Value => {
    const { success, data } = schema.safeParse(given);
    if (!success) addIssue(refusal(given));
    return data as Value;
  });

const number = (schema: z.ZodNumber, example: number, kind = "number") =>
  valid(
    numeral(schema),
    (given) =>
      `must be a ${kind} from ${schema.minValue} to ${schema.maxValue}, such as ${example}, and is ${JSON.stringify(given)}`,
  );
const integer = (min: number, max: number, example: number) =>
  number(z.number().int().min(min).max(max), example, "whole number");
const oneOf = <const Name extends string>(...options: Name[]) =>
  valid(z.enum(options), (given) => `must be ${options.join(" or ")}, and is ${JSON.stringify(given)}`);
const onOrOff = (fallback: "on" | "off") =>
  oneOf("on", "off")
    .default(fallback)
    .transform((value) => value === "on");
const text = (min: number, max: number) =>
  valid(
    z.string().min(min).max(max),
    ({ length }) => `must have from ${min} to ${max} characters, and has ${length}`,
  );
const stripeKey = (pattern: RegExp, beginning: string) =>
  valid(
    z.string().regex(pattern),
    () => `must be a key of Stripe that begins with ${beginning}, without spaces or quotes`,
  );
const email = valid(z.email(), () => "must be an email address, such as admin@shop.example");
const webUrl = (example: string) =>
  valid(
    z.url({ protocol: /^https?$/ }),
    () => `must be a URL with http:// or https://, such as ${example}`,
  ).transform((url) => url.replace(/\/+$/, ""));
const webUrls = valid(
  z
    .string()
    .transform((list) => list.split(",").map((url) => url.trim()))
    .pipe(z.array(z.url({ protocol: /^https?$/ })).max(10)),
  () =>
    "must be URLs with http:// or https://, at most 10 with commas between them, such as http://127.0.0.1:6081/purge",
);
const folder = z
  .string()
  .refine(
    (path) => !/^~(\/|$)/.test(path),
    "only a shell replaces ~ by a home folder; write the whole path, such as /srv/stator",
  )
  .transform((path) => resolve(path));
const port = (example: number) => integer(1, 65_535, example);
const originUrl = webUrl("https://shop.example")
  .refine(
    (url) => new URL(url).href === `${new URL(url).origin}/`,
    "must be scheme, host and port alone, such as https://shop.example",
  )
  .transform((url) => new URL(url).origin);
const UNREADABLE =
  "cannot be read; check host and port; special characters in the password must be percent-encoded, such as %23 for #";
/** An unencoded slash ends the host, and a part of the password would be printed as an unknown host. */
const SPLIT_PASSWORD = /^\w+:\/\/[^/?]*\/[^?]*@/;
const postgresUrl = z
  .string()
  .regex(
    /^postgres(ql)?:\/\//,
    "must start with postgres://, such as postgres://stator@db.example:5432/stator",
  )
  .refine((url) => !SPLIT_PASSWORD.test(url), { error: UNREADABLE, abort: true });
const databaseUrl = postgresUrl.superRefine((url, context) => explainUnreadable([url], context));
/** with several hosts, a primary and its standbys */
const databaseHosts = postgresUrl.superRefine((url, context) => explainUnreadable(hostsOf(url), context));
const tileUrl = z.string().refine((url) => {
  const isWeb = /^https?:\/\//.test(url) && URL.canParse(url.replace(/[{}]/g, ""));
  return isWeb && ["{z}", "{x}", "{y}"].every((part) => url.includes(part));
}, "must be a URL with {z}, {x} and {y}, such as https://tile.example/{z}/{x}/{y}.png");

const networks = z
  .string()
  .transform((list) => list.split(",").map((network) => network.trim()))
  .refine(
    (list) => list.every(isNetwork),
    "must be IP addresses or networks with commas between them, such as 10.0.0.0/8,2001:db8::/32",
  );

function isNetwork(text: string): boolean {
  const [ip = "", bits, ...more] = text.split("/");
  const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(ip)] ?? 0;
  if (maxBits === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d*$/.test(bits) && Number(bits) <= maxBits);
}

function explainUnreadable(urls: string[], context: z.RefinementCtx): void {
  try {
    for (const url of urls) new pg.Client(url);
  } catch (error) {
    // a file of the certificates
    const { path, message } = error as NodeJS.ErrnoException;
    context.addIssue({ code: "custom", message: path ? `cannot be read: ${message}` : UNREADABLE });
  }
}

const environment = z.object({
  PORT: port(3000).default(3000),
  HOST: z.string().default("127.0.0.1"),
  DATA_DIR: folder.default(() => resolve("./data")),
  BACKUP_DIR: folder.optional(),
  DATABASE_URL: databaseHosts.optional(),
  DATABASE_DIRECT_URL: databaseHosts.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_CONNECTIONS: integer(MIN_CONNECTIONS, 10_000, 20).optional(),
  SECRET: text(32, 1000).optional(),
  PUBLIC_URL: originUrl.optional(),
  ADMIN_EMAIL: email.transform((address) => address.toLowerCase()).default("admin@stator.example"),
  ADMIN_PASSWORD: text(6, 128).optional(),
  SAMPLE_DATA: oneOf("on", "off").optional(),
  METRICS_PORT: port(9464).optional(),
  ROLE: oneOf("web", "worker", "both").default("both"),
  WORKERS: integer(1, 64, 4).default(1),
  ASSETS_DIR: folder.optional(),
  PURGE_URL: webUrls.optional(),
  PURGE_TOKEN: valid(
    z.string().regex(/^[\x21-\x7e]{1,1000}$/),
    () => "must have from 1 to 1000 letters, digits and signs of ASCII, without spaces",
  ).optional(),
  DRAIN_SECONDS: integer(0, 600, 15).default(0),
  TRUSTED_PROXIES: networks.default(["127.0.0.0/8", "::1"]),
  RATE_LIMIT: onOrOff("on"),
  SMTP_URL: valid(
    z.url({ protocol: /^smtps?$/ }).refine((url) => URL.parse(url)?.hostname !== ""),
    () =>
      "must be a URL with smtp:// or smtps:// and a server, such as smtps://user:password@mail.example:465; special characters in the password must be percent-encoded, such as %23 for #",
  ).optional(),
  SMTP_ALLOW_PLAINTEXT: onOrOff("off"),
  STRIPE_SECRET_KEY: stripeKey(
    /^(sk|rk)_(test|live)_\w+$/,
    "sk_live_, rk_live_, sk_test_ or rk_test_",
  ).optional(),
  STRIPE_PUBLISHABLE_KEY: stripeKey(/^pk_(test|live)_\w+$/, "pk_live_ or pk_test_").optional(),
  STRIPE_WEBHOOK_SECRET: stripeKey(/^whsec_/, "whsec_").optional(),
  STRIPE_API_BASE: webUrl("http://localhost:12111").optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: webUrl("https://accounts.google.com").default("https://accounts.google.com"),
  UNPAID_HOLD_HOURS: integer(0, 87_600, 168).default(168),
  MAP_TILES: tileUrl.default("https://tile.openstreetmap.org/{z}/{x}/{y}.png"),
  PICTURES_S3_URL: webUrl("https://s3.eu-central-1.amazonaws.com/bucket").optional(),
  PICTURES_S3_ACCESS_KEY_ID: z.string().optional(),
  PICTURES_S3_SECRET_ACCESS_KEY: z.string().optional(),
  PICTURES_S3_REGION: z.string().default("us-east-1"),
  SELLER_NAME: text(1, 120).optional(),
  SELLER_ADDRESS: text(1, 300).optional(),
  SELLER_EMAIL: email.optional(),
  SELLER_PHONE: text(1, 40).optional(),
  SELLER_TAX_NUMBER: text(1, 40).optional(),
  SELLER_BANK: text(1, 200).default(""),
  REQUIRE_VERIFIED_EMAIL: onOrOff("off"),
  REQUIRE_ADMIN_2FA: onOrOff("off"),
  SESSION_IDLE_HOURS: integer(1, 8760, 72).default(72),
  ADMIN_IDLE_HOURS: integer(1, 8760, 12).default(12),
  SESSION_DAYS: integer(1, 365, 30).default(30),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl("http://collector:4318").optional(),
  OTEL_TRACES_SAMPLER: oneOf(
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
  ).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: number(z.number().min(0).max(1), 0.05).default(1),
  OTEL_BSP_SCHEDULE_DELAY: integer(0, 60_000, 5000).default(5000),
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent").default("warn"),
});

export type Config = z.output<typeof environment> & { publicUrl: string; sampleData: boolean };

export class InvalidEnvironment extends Error {}

const requiredTogether: (keyof Config)[][] = [
  ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["PICTURES_S3_URL", "PICTURES_S3_ACCESS_KEY_ID", "PICTURES_S3_SECRET_ACCESS_KEY"],
];

/** An empty value counts as not set, and so do spaces, which would be the number 0. Throws `InvalidEnvironment`. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const nonEmpty = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ""));
  const parsed = environment.safeParse(nonEmpty);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new InvalidEnvironment(`${String(issue?.path[0])}: ${issue?.message}`);
  }
  const values = parsed.data;
  for (const names of requiredTogether) refuseIncompleteGroup(values, names);
  refuseMixedModes(values);
  if (values.PURGE_TOKEN && !values.PURGE_URL) {
    throw new InvalidEnvironment("PURGE_TOKEN is sent to a PURGE_URL, which is missing.");
  }
  if (values.METRICS_PORT === values.PORT) {
    throw new InvalidEnvironment(`METRICS_PORT: ${values.PORT} is the port of the store.`);
  }
  if (values.BACKUP_DIR && values.DATABASE_URL) {
    throw new InvalidEnvironment(
      "BACKUP_DIR is for the embedded database: back up that of DATABASE_URL with PostgreSQL's own programs.",
    );
  }
  if (values.BACKUP_DIR && isInside(values.BACKUP_DIR, values.DATA_DIR)) {
    throw new InvalidEnvironment("BACKUP_DIR must not be in DATA_DIR: it would be lost with it.");
  }
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL) {
    throw new InvalidEnvironment(
      "DATABASE_DIRECT_URL bypasses the pooler of DATABASE_URL, which is missing.",
    );
  }
  if (values.DATABASE_READ_URL && !values.DATABASE_URL) {
    throw new InvalidEnvironment("DATABASE_READ_URL is the copy of a DATABASE_URL, which is missing.");
  }
  return {
    ...values,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    sampleData: (values.SAMPLE_DATA ?? (values.DATABASE_URL ? "off" : "on")) === "on",
  };
}

const names = Object.keys(environment.shape);

/** One line for each variable that is almost one of the store's: misspelt, it would leave a rule at its default. */
export function findMisspelt(variables: Record<string, string | undefined>): string[] {
  const own = Object.keys(variables).filter((name) => name.length >= 6 && !names.includes(name));
  return own.flatMap((name) => {
    const meant = names.find((one) => variables[one] === undefined && isAlmost(name.toUpperCase(), one));
    return meant ? [`${name} is no variable of the store, and ${meant} is not set. Is ${meant} meant?`] : [];
  });
}

/** With a word left out, or similar; of a short name another program may have a similar one. */
function isAlmost(name: string, own: string): boolean {
  const words = name.split(/[_-]/);
  if (words.length > 1 && words.every((word) => own.split("_").includes(word))) return true;
  const max = own.length < 10 ? 1 : 2;
  return editDistance(name, own, max) <= max;
}

export function isPublic({ publicUrl }: Pick<Config, "publicUrl">): boolean {
  return !/^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(new URL(publicUrl).hostname);
}

export function isInside(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

const SAMPLE_SELLER = {
  name: "Stator Electric Tool Works",
  address: "14 Foundry Lane; Port Harrow 41200",
  email: "orders@stator.example",
  phone: "555 0142 0180",
  taxNumber: "PH 00-0000000",
};

/**
 * A semicolon in the address or the bank line starts a new line. With a name of its own, a store without phone or tax
 * number has none on its invoices, and not those of the sample.
 */
export function sellerOf(config: Config): Seller {
  const lines = (text: string) => text.replace(/\s*;\s*/g, "\n");
  const { name, address, email, phone, taxNumber } = SAMPLE_SELLER;
  const ifSample = (text: string) => (config.SELLER_NAME === undefined ? text : "");
  return {
    name: config.SELLER_NAME ?? name,
    address: lines(config.SELLER_ADDRESS ?? address),
    email: config.SELLER_EMAIL ?? email,
    phone: config.SELLER_PHONE ?? ifSample(phone),
    taxNumber: config.SELLER_TAX_NUMBER ?? ifSample(taxNumber),
    bank: lines(config.SELLER_BANK),
  };
}

/** Documents need both, and issued ones never change. */
export function printSampleSeller(config: Config, print: (line: string) => void): void {
  const missing = (["SELLER_ADDRESS", "SELLER_EMAIL"] as const).filter((name) => config[name] === undefined);
  if (config.SELLER_NAME === undefined || missing.length === 0) return;
  print(
    `Documents: ${missing.join(" and ")} not set: invoices and emails of ${config.SELLER_NAME} show those of the sample.`,
  );
}

/** `InvalidEnvironment` if HOST or PORT is the reason that the store cannot listen; any other error unchanged. */
export function explainListenError(error: unknown, { HOST, PORT }: Pick<Config, "HOST" | "PORT">): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new InvalidEnvironment(`HOST: ${HOST} cannot be found.`);
    case "EADDRNOTAVAIL":
      return new InvalidEnvironment(`HOST: ${HOST} is not a network address of this machine.`);
    case "EACCES":
      return new InvalidEnvironment(`PORT: this user may not listen on ${PORT}. Set PORT to 1024 or more.`);
    default:
      return error;
  }
}

function refuseIncompleteGroup(values: Partial<Config>, names: (keyof Config)[]) {
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length > 0 && missing.length < names.length) {
    throw new InvalidEnvironment(`${missing[0]} is missing: ${names.join(", ")} belong together.`);
  }
}

/** A live card would be charged on one side and be unknown on the other. */
function refuseMixedModes({
  STRIPE_SECRET_KEY: secret,
  STRIPE_PUBLISHABLE_KEY: publishable,
}: Partial<Config>) {
  const isLive = (key: string) => key.includes("_live_");
  if (!secret || !publishable || isLive(secret) === isLive(publishable)) return;
  const kind = (key: string) => (isLive(key) ? "a live key" : "a test key");
  throw new InvalidEnvironment(
    `STRIPE_SECRET_KEY is ${kind(secret)}, STRIPE_PUBLISHABLE_KEY ${kind(publishable)}: both must be of one mode.`,
  );
}
