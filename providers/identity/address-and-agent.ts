interface RequestSource {
  request?: Request | undefined;
  headers?: Headers | undefined;
}

export function addressAndAgent({ request, headers }: RequestSource) {
  const sent = request?.headers ?? headers;
  const ip = sent?.get("x-stator-address");
  const agent = sent?.get("user-agent");
  return { ...(ip && { ip }), ...(agent && { agent }) };
}
