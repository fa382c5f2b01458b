export interface SecurityEvent {
  /** the account, by id, email or one of its passkeys; undefined for an unknown account */
  userId?: string | null;
  email?: string;
  credential?: string;
  what: string;
  detail?: string;
  ip?: string;
  agent?: string;
}
