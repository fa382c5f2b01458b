import type { User } from "../../../api/entities.ts";

/** Buyers see only their own orders; an admin sees all. A node of the previous release does not send `mine`. */
export function isOwnOrder(
  { email, mine = false }: { email: string; mine?: boolean | undefined },
  user: Pick<User, "email" | "role">,
): boolean {
  return user.role !== "admin" || mine || email === user.email;
}
