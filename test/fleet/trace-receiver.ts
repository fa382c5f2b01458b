/** Receives traces as an OpenTelemetry collector does, in OTLP's JSON over HTTP. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Export {
  resourceSpans: {
    resource: { attributes: ReceivedSpan["attributes"] };
    scopeSpans: { spans: ReceivedSpan[] }[];
  }[];
}

export interface TraceReceiver {
  url: string;
  /** the resource attributes of each export */
  senders: ReceivedSpan["attributes"][];
  spans: ReceivedSpan[];
  close(): void;
}

export async function receiveTraces(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const senders: ReceivedSpan["attributes"][] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== "POST" || request.url !== "/v1/traces") return response.writeHead(404).end();
    for (const { resource, scopeSpans } of ((await json(request)) as Export).resourceSpans) {
      senders.push(resource.attributes);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, senders, close: () => server.close() };
}
