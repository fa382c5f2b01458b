import pg from "pg";

const READ_LIMITS = `
SELECT current_setting('server_version_num')::int / 10000 AS version, least(
  current_setting('max_connections')::int - CASE WHEN role.rolsuper THEN 0 ELSE
    current_setting('superuser_reserved_connections')::int + current_setting('reserved_connections')::int END,
  nullif(role.rolconnlimit, -1), nullif(base.datconnlimit, -1)) AS limit
FROM pg_roles AS role, pg_database AS base WHERE role.rolname = current_user AND base.datname = current_database()`;

/** The server's major version, and the connections that the server, the role and the database allow the role. */
export async function readServerLimits(
  connection: pg.ClientConfig,
): Promise<{ version: number; limit: number }> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; limit: number }>(READ_LIMITS);
    return rows[0] as { version: number; limit: number };
  } finally {
    await client.end();
  }
}
