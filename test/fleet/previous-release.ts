/** The release whose nodes may run next to this one's during a deploy, built from the history. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The commit of each release, added when it is out. */
const PREVIOUS_RELEASE = "53bfef972dca226ab98f399ce45b19794d50b788";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** Whether the history contains it; a shallow clone's does not. */
export async function hasPreviousRelease(): Promise<boolean> {
  return run("git", ["cat-file", "-e", `${PREVIOUS_RELEASE}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  );
}

/** Unpacks and builds it with the current packages. The caller must remove the returned folder. */
export async function buildPreviousRelease(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stator-previous-"));
  try {
    const archive = join(folder, "release.tar");
    await run("git", ["archive", "--output", archive, PREVIOUS_RELEASE], { cwd: root });
    await run("tar", ["-xf", archive, "-C", folder]);
    await rm(archive);
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    const env = { ...process.env, NODE_ENV: "production" };
    await run(process.execPath, [join(root, "node_modules/@react-router/dev/bin.cjs"), "build"], {
      cwd: folder,
      env,
    });
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
