/** PostgreSQL with TLS and several hosts: after a failover the certificate is that of another host. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { expect, inject, test } from "vitest";
import { openPool } from "../../../database/client.ts";
import { connectTo } from "../../../database/hosts.ts";
import { freePort } from "../../harness/free-port.ts";

/** Of 127.0.0.1 alone, until 2120. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2VY3Pdhfg1K8qAzt
0azyT+DjqRLCRrBwiSb+DLpv7eyhRANCAAQRLVtwBYuaan7p7Cts07gDAZUG4nwn
s9BLbRO1352KS/9d+4ApqcapfQwMCQfqbwyl34zPPiPHfNGEEOCWJspO
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBYTCCAQagAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtzdGF0b3Ig
dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLc3RhdG9yIHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQRLVtwBYua
an7p7Cts07gDAZUG4nwns9BLbRO1352KS/9d+4ApqcapfQwMCQfqbwyl34zPPiPH
fNGEEOCWJspOo0MwQTAPBgNVHRMBAf8EBTADAQH/MA8GA1UdEQQIMAaHBH8AAAEw
HQYDVR0OBBYEFAjTcKs3zPNXOz4nRrToxTk2FlpLMAoGCCqGSM49BAMCA0kAMEYC
IQC2/6if/USHRpK/SAJuG5zjcbHm+DA41IbVphO/MOT+OAIhAPd3hwJirJH3/REz
DEPU0Sq3miooyMw2OVqctcteBNK+
-----END CERTIFICATE-----`;

/** PostgreSQL of this run behind TLS, on a port of 127.0.0.1. */
async function openWithTls() {
  const { host, port } = inject("postgres");
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, key, cert });
      const postgres = connect(join(host, `.s.PGSQL.${port}`));
      for (const end of [socket, secure, postgres]) end.on("error", () => undefined);
      secure.pipe(postgres).pipe(secure);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

test("the certificate must be that of the host which is connected to, not of the first", async () => {
  const { user, password, database } = inject("postgres");
  const folder = await mkdtemp(join(tmpdir(), "stator-tls-"));
  const authority = join(folder, "ca.pem");
  await writeFile(authority, cert);
  const server = await openWithTls();
  const deadPort = await freePort();
  const connectionsTo = (host: string) => {
    const hosts = `localhost:${deadPort},${host}:${server.port}`;
    const url = `postgres://${user}:${password}@${hosts}/${database}?sslmode=verify-full&sslrootcert=${authority}`;
    return openPool({ ...connectTo(url), max: 1 }, () => undefined);
  };
  const pool = connectionsTo("127.0.0.1");
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
  const other = connectionsTo("localhost");
  await expect(other.query("SELECT")).rejects.toThrow(/no host of the database can be reached/);
  await other.end();
  server.close();
  await rm(folder, { recursive: true });
});
