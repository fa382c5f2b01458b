import Stripe from "stripe";

export type TraceRequest = <Result extends { getStatusCode(): number }>(
  request: { method: string; host: string; path: string },
  run: () => Promise<Result>,
) => Promise<Result>;

/** Rejects a JSON body that is neither object nor array: the library would throw uncaught and end the process. */
export function createHttpClient(
  base?: string | (() => string),
  trace: TraceRequest = (_request, run) => run(),
): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...request) {
      const sent = base === undefined ? request : toBase(base, request);
      const [host, , path, method] = sent;
      const response = await trace({ method, host, path }, () => client.makeRequest(...sent));
      const toJSON = response.toJSON.bind(response);
      response.toJSON = async () => {
        const body: unknown = await toJSON();
        if (typeof body !== "object" || body === null) throw new TypeError("The body is not a JSON object.");
        return body;
      };
      return response;
    },
  };
}

type HttpRequest = Parameters<Stripe.HttpClient["makeRequest"]>;

function toBase(
  base: string | (() => string),
  [, , path, method, headers, data, , timeout]: HttpRequest,
): HttpRequest {
  const url = new URL(typeof base === "string" ? base : base());
  const secure = url.protocol === "https:";
  return [
    url.hostname.replace(/^\[|\]$/g, ""),
    url.port || (secure ? "443" : "80"),
    url.pathname.replace(/\/$/, "") + path,
    method,
    headers,
    data,
    secure ? "https" : "http",
    timeout,
  ];
}
