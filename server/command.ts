import { existsSync } from "node:fs";

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function loadEnvironment(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
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
