import { useState } from "react";
import { useSignedInUser } from "./session.ts";

/** Changes when another user signs in, in any tab: the key of a form whose input is of the one before. */
export function useAccountKey(): number {
  const email = useSignedInUser()?.email;
  const [last, setLast] = useState({ email, key: 0 });
  if (!email || email === last.email) return last.key;
  // null while hydrating, and while signed out
  const next = { email, key: last.email ? last.key + 1 : last.key };
  setLast(next);
  return next.key;
}
