interface RequestSource {
  request?: Request | undefined;
  headers?: Headers | undefined;
}

export function ipAndAgent({ request, headers }: RequestSource) {
  const sent = request?.headers ?? headers;
  const ip = sent?.get("x-stator-ip");
  const agent = sent?.get("user-agent");
  return { ...(ip && { ip }), ...(agent && { agent }) };
}
