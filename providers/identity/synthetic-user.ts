/** Looks in every member like a new user, so that registering a known email reveals nothing. */
import { randomBytes } from "node:crypto";

interface SyntheticUserInput {
  coreFields: {
    name: string;
    email: string;
    emailVerified: boolean;
    image: string | null;
    createdAt: Date;
    updatedAt: Date;
  };
}

export function syntheticUser({ coreFields }: SyntheticUserInput): Record<string, unknown> {
  return { ...coreFields, twoFactorEnabled: false, id: uuidV7(coreFields.createdAt) };
}

/** An id as the database's `uuidv7()` makes them. */
function uuidV7(at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
