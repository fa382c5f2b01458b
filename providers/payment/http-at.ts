/** Lets the official library, which knows only host and port, talk to an address with a path before `/v1`. */
import Stripe from "stripe";

/**
 * The library's own HTTP client, sent to `base` (`http://127.0.0.1:3000/sandbox/stripe`). A function is
 * asked at every request.
 */
export function httpAt(base: string | (() => string)): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  return {
    getClientName: () => client.getClientName(),
    makeRequest(_host, _port, path, method, headers, data, _protocol, timeout) {
      const url = new URL(typeof base === "string" ? base : base());
      const secure = url.protocol === "https:";
      return client.makeRequest(
        url.hostname.replace(/^\[|\]$/g, ""),
        url.port || (secure ? "443" : "80"),
        url.pathname.replace(/\/$/, "") + path,
        method,
        headers,
        data,
        secure ? "https" : "http",
        timeout,
      );
    },
  };
}
