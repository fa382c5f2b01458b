/** What is said for the record of an account: what happened, never with what secret. */
export interface SecurityEvent {
  /** whose account, by number, by e-mail or by one of its passkeys; nobody's that the store knows otherwise */
  userId?: string | null;
  email?: string;
  credential?: string;
  what: string;
  detail?: string;
  ip?: string;
  agent?: string;
}

interface From {
  request?: Request | undefined;
  headers?: Headers | undefined;
}

/** From where a request came. */
export function addressAndAgent({ request, headers }: From) {
  const from = request?.headers ?? headers;
  const ip = from?.get("x-stator-address");
  const agent = from?.get("user-agent");
  return { ...(ip && { ip }), ...(agent && { agent }) };
}
