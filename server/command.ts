/** What the commands of an operator have in common. */
import { existsSync } from "node:fs";

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Reads `.env` and runs `work`. A failure is one line, and the exit status is `failed`. */
export async function runCommand(failed: number, work: () => Promise<void>): Promise<void> {
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = failed;
  }
}
