import { execFile } from "node:child_process";
import { compileCache } from "../harness/compile-cache.ts";

/** Runs the doctor on the database that `variables` name; returns its exit status and output. */
export function runDoctor(variables: Record<string, string>): Promise<[status: unknown, output: string]> {
  const env = { PATH: process.env.PATH, ...compileCache, ...variables };
  return new Promise((done) => {
    execFile(process.execPath, ["server/doctor.ts"], { env }, (error, stdout, stderr) =>
      done([error?.code ?? 0, stdout + stderr]),
    );
  });
}

export const NO_FAULTS = /^All \d+ checks passed/;
