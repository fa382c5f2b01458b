/** The interface of tracing for the rest of the server. The SDK is loaded only if traces are exported. */
import type { TraceQuery } from "../../database/trace-queries.ts";
import type { Deliver } from "../../providers/email/deliver.ts";
import type { TraceRequest } from "../../providers/payment/http-client.ts";
import type { Config } from "../config.ts";

export type TracingConfig = Pick<
  Config,
  | "OTEL_EXPORTER_OTLP_ENDPOINT"
  | "OTEL_TRACES_SAMPLER"
  | "OTEL_TRACES_SAMPLER_ARG"
  | "OTEL_BSP_SCHEDULE_DELAY"
>;

/** The span of an HTTP request to the store. */
export interface RequestSpan {
  traceId: string;
  /** for a job that continues the trace */
  traceparent: string | undefined;
  /** Runs `work` with this span as the current one. */
  run: (work: () => void) => void;
  end: (status: number) => void;
}

export interface Tracing {
  /** Opens the span of a request; `traceparent` is the header of a caller that is trusted. */
  openRequest: (
    request: { method: string; route: string; id: string },
    traceparent: string | undefined,
  ) => RequestSpan;
  query: TraceQuery;
  /** Traces a request to the payment provider. */
  provider: TraceRequest;
  /** Traces a job, which continues the trace in its payload. */
  job: <Result>(
    job: { id: number; task: string; payload: unknown },
    run: () => Promise<Result>,
  ) => Promise<Result>;
  delivery: (deliver: Deliver) => Deliver;
  /** The current span, for a job that continues its trace; undefined outside of any. */
  traceparent: () => string | undefined;
  /** The current span, for log lines. */
  logFields: () => { trace_id?: string; span_id?: string };
  /** Exports the remaining spans. */
  stop: () => Promise<void>;
}

/** Starts tracing where OTEL_EXPORTER_OTLP_ENDPOINT is set. `report` is called with each failed export. */
export async function openTracing(
  config: TracingConfig,
  report: (error: unknown) => void,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import("./opentelemetry.ts");
  return startTracing(endpoint, config, report);
}
