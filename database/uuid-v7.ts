import type pg from "pg";

/** As in PostgreSQL 18: increases with each call of a session, also within a microsecond or after the clock was set back. */
const UUID_V7 = `
CREATE OR REPLACE FUNCTION public.uuidv7(shift interval DEFAULT '0') RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  us bigint := greatest(extract(epoch FROM clock_timestamp()) * 1000000,
    nullif(current_setting('stator.last_uuid_us', true), '')::bigint + 1);
BEGIN
  PERFORM set_config('stator.last_uuid_us', us::text, false);
  us := us + extract(epoch FROM now() + shift - now()) * 1000000;
  -- 48 bits of milliseconds, the version, 12 bits of their fraction; the variant and the rest as in version 4
  RETURN encode(int8send((us / 1000 << 16) | x'7000'::bigint | (us % 1000 * 4096 / 1000))
    || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid;
END $$`;

export async function prepareUuidV7(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query("SELECT to_regprocedure('pg_catalog.uuidv7()') IS NULL AS missing");
  if (rows[0].missing) await client.query(UUID_V7);
}
