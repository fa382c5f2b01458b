interface From {
  request?: Request | undefined;
  headers?: Headers | undefined;
}

export function addressAndAgent({ request, headers }: From) {
  const from = request?.headers ?? headers;
  const ip = from?.get("x-stator-address");
  const agent = from?.get("user-agent");
  return { ...(ip && { ip }), ...(agent && { agent }) };
}
