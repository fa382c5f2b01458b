import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";

/** Runs PostgreSQL's programs, which refuse to run as root; initdb refuses a user without a name. */
export interface Account {
  uid: number;
  gid: number;
  prefix: string[];
  spawn: { uid?: number; gid?: number };
}

interface NamedUser {
  name: string;
  uid: number;
  gid: number;
}

/** This user; this user with another id in a user namespace; for root also the folder's owner, and a system user. */
export function chooseAccount(
  programs: string,
  folders: { data: string; sockets: string; owned: string },
  environment: NodeJS.ProcessEnv,
): Account | undefined {
  return candidates(folders.data).find((account) => {
    makeReachable(folders, account);
    const probe = [
      "sh",
      "-c",
      '"$0" --version && cd "$1" && test -w .',
      join(programs, "postgres"),
      folders.owned,
    ];
    const [command = "sh", ...rest] = [...account.prefix, ...probe];
    return spawnSync(command, rest, { ...account.spawn, env: environment, cwd: "/" }).status === 0;
  });
}

function candidates(dataFolder: string): Account[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  if (uid !== 0 && hasName()) return [{ uid, gid, prefix: [], spawn: {} }];
  const users = namedUsers();
  const system = ["postgres", "_postgres", "nobody"]
    .map((name) => users.find((user) => user.name === name))
    .find((user) => user !== undefined);
  const fallbackUser = system ?? users[0];
  if (!fallbackUser) return [];
  const prefix = ["unshare", "-U", `--map-user=${fallbackUser.uid}`, `--map-group=${fallbackUser.gid}`];
  const namespace = { uid, gid, prefix, spawn: {} };
  if (uid !== 0) return [namespace];
  const parentOwner = users.find((user) => user.uid === statSync(dirname(dataFolder)).uid);
  return [namespace, ...[parentOwner, fallbackUser].filter((user) => user !== undefined).map(dropTo)];
}

function dropTo({ uid, gid }: NamedUser): Account {
  return { uid, gid, prefix: [], spawn: { uid, gid } };
}

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

function namedUsers(): NamedUser[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== "" && uid > 0 && gid > 0);
}

/** Gives the account its own folder; another user may traverse the folders above it, but not list them. */
function makeReachable(folders: { data: string; sockets: string; owned: string }, account: Account): void {
  if (account.uid !== process.getuid?.()) {
    for (const folder of [folders.data, folders.sockets]) {
      chownSync(folder, -1, account.gid);
      chmodSync(folder, 0o710);
    }
  }
  mkdirSync(folders.owned, { recursive: true, mode: 0o700 });
  changeOwner(account, folders.owned);
}

/** The folder itself changes owner last, so that an interrupted change is noticed next time. */
export function changeOwner(account: Account, path: string): void {
  const stats = lstatSync(path);
  if (stats.uid === account.uid) return;
  if (stats.isDirectory()) for (const name of readdirSync(path)) changeOwner(account, join(path, name));
  lchownSync(path, account.uid, account.gid);
}
