import pg from "pg";

const READ_LIMITS = `
SELECT current_setting('server_version_num')::int / 10000 AS version, least(
  current_setting('max_connections')::int - CASE WHEN role.rolsuper THEN 0 ELSE
    current_setting('superuser_reserved_connections')::int + current_setting('reserved_connections')::int END,
  nullif(role.rolconnlimit, -1), nullif(base.datconnlimit, -1)) AS limit,
  current_database() || extract(epoch FROM pg_postmaster_start_time()) AS database,
  CASE WHEN current_setting('server_encoding') <> 'UTF8' THEN
      'its encoding is ' || current_setting('server_encoding') || ', and must be UTF8'
    WHEN current_setting('DateStyle') NOT LIKE 'ISO,%' THEN
      format('its DateStyle is %s: run ALTER ROLE %I SET DateStyle = ''ISO''', current_setting('DateStyle'), current_user)
    WHEN current_schema() IS NULL THEN
      format('no schema of its search_path (%s) exists', current_setting('search_path')) END AS obstacle
FROM pg_roles AS role, pg_database AS base WHERE role.rolname = current_user AND base.datname = current_database()`;

export interface ServerLimits {
  version: number;
  /** the connections that the server, the role and the database allow the role */
  limit: number;
  database: string;
  /** a setting with which the store does not work */
  obstacle: string | null;
}

export async function readServerLimits(connection: pg.ClientConfig): Promise<ServerLimits> {
  const client = new pg.Client(connection);
  try {
    await client.connect();
    const { rows } = await client.query<ServerLimits>(READ_LIMITS);
    return rows[0] as ServerLimits;
  } finally {
    await client.end();
  }
}
