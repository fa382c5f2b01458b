import Stripe from "stripe";

/**
 * Sends the requests to `base` (`http://127.0.0.1:3000/sandbox/stripe`) instead of the library's address, which has
 * no path before `/v1`; a function is called at every request. A JSON body that is neither object nor array is
 * rejected here: the library would throw uncaught and end the process.
 */
export function createHttpClient(base?: string | (() => string)): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...request) {
      const response = await client.makeRequest(
        ...(base === undefined ? request : redirected(base, request)),
      );
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

function redirected(
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
