/** Not registered globally, since the identity library would add spans with attributes of its own. */
import { AsyncLocalStorage } from "node:async_hooks";
import { hostname } from "node:os";
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { withTimeout } from "../../providers/with-timeout.ts";
import type { Tracing, TracingConfig } from "./open-tracing.ts";

/** The exporter retries for ten seconds; a stop does not wait that long. */
const STOP_TIMEOUT_MS = 3000;
const propagator = new W3CTraceContextPropagator();

/** Starts to export traces to `endpoint`. Names, addresses, emails and parameters of statements are no attributes. */
export function startTracing(
  endpoint: string,
  config: TracingConfig,
  report: (error: unknown) => void,
): Tracing {
  setGlobalErrorHandler(report);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "stator", "host.name": hostname() }))
      .merge(detectResources({ detectors })),
    sampler: samplerOf(config),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY }),
    ],
  });
  const tracer = provider.getTracer("stator");
  const current = new AsyncLocalStorage<Context>();

  async function inSpan<Result>(
    name: string,
    { parent, kind, attributes }: { parent: Context; kind: SpanKind; attributes: Attributes },
    callback: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    try {
      return await current.run(trace.setSpan(parent, span), () => callback(span));
    } catch (error) {
      markFailed(span, errorType(error));
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    openRequest({ method, route, id }, parent) {
      const context = contextOf(parent);
      const attributes = { "http.request.method": method, "http.route": route, "stator.request_id": id };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, context);
      const requestContext = trace.setSpan(context, span);
      return {
        traceId: span.spanContext().traceId,
        traceparent: traceparentOf(requestContext),
        run: (callback) => current.run(requestContext, callback),
        end(status) {
          span.setAttribute("http.response.status_code", status);
          if (status >= 500) markFailed(span, String(status));
          span.end();
        },
      };
    },
    query({ name, text }, run) {
      const parent = current.getStore();
      // periodic tasks poll the database several times a second
      if (!parent) return run();
      const attributes = { "db.system.name": "postgresql", "db.query.text": text };
      return inSpan(name ?? firstWord(text), { parent, kind: SpanKind.CLIENT, attributes }, run);
    },
    provider({ method, host, path }, run) {
      const parent = current.getStore() ?? ROOT_CONTEXT;
      const attributes = {
        "http.request.method": method,
        "server.address": host,
        "url.path": path.split("?")[0],
      };
      return inSpan(`Stripe ${method}`, { parent, kind: SpanKind.CLIENT, attributes }, async (span) => {
        const response = await run();
        const status = response.getStatusCode();
        span.setAttribute("http.response.status_code", status);
        if (status >= 400) markFailed(span, String(status));
        return response;
      });
    },
    job({ id, task, payload }, run) {
      const { trace: parent, mail } = payload as { trace?: string; mail?: string };
      const attributes = { "stator.job.id": id, ...(mail !== undefined && { "stator.email": mail }) };
      return inSpan(`job ${task}`, { parent: contextOf(parent), kind: SpanKind.CONSUMER, attributes }, run);
    },
    delivery: (deliver) => (message, id, stopping) =>
      inSpan(
        "deliver email",
        { parent: current.getStore() ?? ROOT_CONTEXT, kind: SpanKind.CLIENT, attributes: {} },
        () => deliver(message, id, stopping),
      ),
    traceparent: () => traceparentOf(current.getStore() ?? ROOT_CONTEXT),
    logFields() {
      const span = trace.getSpanContext(current.getStore() ?? ROOT_CONTEXT);
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
    },
    stop: () =>
      withTimeout(provider.shutdown(), STOP_TIMEOUT_MS, () => new Error("not in time")).catch(report),
  };
}

function traceparentOf(context: Context): string | undefined {
  const carrier: Record<string, string> = {};
  propagator.inject(context, carrier, defaultTextMapSetter);
  return carrier.traceparent;
}

function contextOf(traceparent: string | undefined): Context {
  return propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
}

/** Without the message, which may contain the values of a statement or an email. */
function markFailed(span: Span, type: string): void {
  span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  return typeof code === "string" ? code : (name ?? "Error");
}

function firstWord(text: string): string {
  return /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? "SQL";
}

/** These packages do not read OTEL_TRACES_SAMPLER; sdk-node does. */
function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingConfig): Sampler {
  const kind = name.replace(/^parentbased_/, "");
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[kind as "always_on" | "always_off" | "traceidratio"]();
  return kind === name ? root : new ParentBasedSampler({ root });
}
