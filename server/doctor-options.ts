import { parseArgs } from "node:util";
import { refuseTakenByNpm } from "./command.ts";

export interface DoctorOptions {
  repair: boolean;
  days: number;
}

export function readDoctorOptions(args: string[]): DoctorOptions {
  refuseTakenByNpm("repair", "days");
  const { values } = parseArgs({
    args,
    options: { repair: { type: "boolean", default: false }, days: { type: "string", default: "30" } },
  });
  if (!/^[1-9]\d{0,3}$/.test(values.days)) throw new Error("--days must be a whole number from 1 to 9999.");
  return { repair: values.repair, days: Number(values.days) };
}
