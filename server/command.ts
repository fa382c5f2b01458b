import { existsSync } from "node:fs";
import { InvalidEnvironment } from "./config.ts";

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function loadEnvironment(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

/** npm takes options before `--` for its own, so that a restore to a time would restore everything. */
export function refuseTakenByNpm(...options: string[]): void {
  const taken = options.find((name) => process.env[`npm_config_${name.replaceAll("-", "_")}`] !== undefined);
  if (!taken) return;
  const command = `npm run ${process.env.npm_lifecycle_event}`;
  throw new Error(`npm has taken --${taken} for its own: write -- before it, as in ${command} -- --${taken}`);
}

/** Throws for a second one, such as a time without its --to-time, and for a blank one, as of an unset variable. */
export function readFolder([folder, second]: string[]): string | undefined {
  if (folder?.trim() === "") throw new Error("Name a folder: this one is blank.");
  if (second !== undefined) throw new Error(`Name one folder: ${second} is not understood.`);
  return folder;
}

/** The store takes none: a port after -- would be left out. */
export function refuseArguments([argument]: string[]): void {
  if (argument !== undefined)
    throw new InvalidEnvironment(`${argument} is not understood: set environment variables, such as PORT.`);
}

/** The system's own message does not always name the file, and never the disk. */
export async function withDiskName<Result>(disk: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!["ENOSPC", "EDQUOT"].includes(code)) throw error;
    throw new Error(`The disk of ${disk} is full: ${message}`, { cause: error });
  }
}

export async function runCommand(failed: number, run: () => Promise<void>): Promise<void> {
  try {
    loadEnvironment();
    await run();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = failed;
  }
}
