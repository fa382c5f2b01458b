import { spawnSync } from "node:child_process";

/**
 * Another user of the machine, to run a command as. Undefined unless root runs the tests, and where another user can run
 * nothing: below a private home directory.
 */
export function findOtherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = { uid: 65_534, gid: 65_534 };
  const { status } = spawnSync(process.execPath, ["--check", "server/main.ts"], user);
  return status === 0 ? user : undefined;
}
