/** An entry of an account's audit log; it contains no secret. */
export interface SecurityEvent {
  /** the account, by id, email or one of its passkeys; none where the store does not know it */
  userId?: string | null;
  email?: string;
  credential?: string;
  what: string;
  detail?: string;
  ip?: string;
  agent?: string;
}
