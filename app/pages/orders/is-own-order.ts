import type { User } from "../../../api/entities.ts";

/** Buyers see only their own orders, which keep the email that they were placed with; an admin sees all. */
export function isOwnOrder({ email }: { email: string }, user: Pick<User, "email" | "role">): boolean {
  return user.role !== "admin" || email === user.email;
}
