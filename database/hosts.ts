/** Several hosts in DATABASE_URL, as libpq accepts them. Each connection goes to the host that accepts writes. */
import { Socket } from "node:net";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import pg from "pg";

const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]*,[^/?@]*)([/?].*)?$/;

export function connectTo(url: string): pg.PoolConfig {
  const [first, ...others] = hostsOf(url);
  if (!first || others.length === 0) return { connectionString: url };
  const locate = coalesce(() => locatePrimary([first, ...others]));
  // pg calls it with the options of the connection, which its types do not say
  const stream = (connection: TlsConnection = {}) => {
    const socket = new PrimarySocket(locate);
    if (connection.ssl) connection.ssl = verifying(socket, connection.ssl);
    return socket;
  };
  return { connectionString: first, stream };
}

interface TlsConnection {
  ssl?: boolean | ConnectionOptions;
}

/** Verifies a certificate for the host that is connected to: pg would compare it with the first host of the URL. */
function verifying(socket: PrimarySocket, ssl: true | ConnectionOptions): ConnectionOptions {
  const options = ssl === true ? {} : ssl;
  options.checkServerIdentity ??= (_first, certificate) => checkServerIdentity(socket.host, certificate);
  return options;
}

export function hostsOf(url: string): string[] {
  const [, before, hosts, after = ""] = HOSTS.exec(url) ?? [];
  return hosts ? hosts.split(",").map((host) => `${before}${host}${after}`) : [url];
}

interface Endpoint {
  host: string;
  port: number;
}

class PrimarySocket extends Socket {
  host = "";
  readonly #locate: () => Promise<Endpoint>;

  constructor(locate: () => Promise<Endpoint>) {
    super();
    this.#locate = locate;
  }

  override connect(): this {
    this.#locate().then(
      ({ host, port }) => {
        this.host = host;
        if (!this.destroyed) super.connect(port, host);
      },
      (error) => this.destroy(error),
    );
    return this;
  }
}

/** After a failover all connections are reopened at once; they share one search. */
const SHARED_MS = 500;

function coalesce<Result>(search: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  return () => {
    if (!current) {
      const running = search();
      current = running;
      const forget = () => {
        if (current === running) current = undefined;
      };
      running.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
    }
    return current;
  };
}

const PROBE_TIMEOUT_MS = 1000;

/** If two servers accept writes, the primary is the one on the later timeline: the other missed the promotion. */
async function locatePrimary(urls: string[]): Promise<Endpoint> {
  const probes = await Promise.allSettled(urls.map(probe));
  const primaries = probes.flatMap((probe) =>
    probe.status === "fulfilled" && probe.value ? [probe.value] : [],
  );
  const [primary] = primaries.sort((a, b) => b.timeline - a.timeline);
  if (primary) return primary;
  const reasons = probes.flatMap((probe) => (probe.status === "rejected" ? [probe.reason] : []));
  const hasResponse = reasons.length < probes.length;
  throw Object.assign(
    new Error(
      hasResponse ? "no host of the database accepts writes" : "no host of the database can be reached",
      {
        cause: reasons[0],
      },
    ),
    { code: "ECONNREFUSED" },
  );
}

const TIMELINE = `
SELECT CASE WHEN NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'
  THEN ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END AS timeline`;

async function probe(url: string): Promise<(Endpoint & { timeline: number }) | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "stator probe",
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on("error", () => undefined); // the query reports it
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(TIMELINE);
    const timeline = rows[0]?.timeline;
    return timeline ? { host: client.host, port: client.port, timeline } : null;
  } finally {
    client.end().catch(() => undefined); // never connected
  }
}
