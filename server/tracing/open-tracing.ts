/** The SDK is loaded only if traces are exported. */
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

export interface RequestSpan {
  traceId: string;
  /** for a job that continues the trace */
  traceparent: string | undefined;
  run: (callback: () => void) => void;
  end: (status: number) => void;
}

export interface Tracing {
  openRequest: (
    request: { method: string; route: string; id: string },
    traceparent: string | undefined,
  ) => RequestSpan;
  query: TraceQuery;
  provider: TraceRequest;
  job: <Result>(
    job: { id: number; task: string; payload: unknown },
    run: () => Promise<Result>,
  ) => Promise<Result>;
  delivery: (deliver: Deliver) => Deliver;
  /** The current span, for a job that continues its trace; undefined outside of any. */
  traceparent: () => string | undefined;
  logFields: () => { trace_id?: string; span_id?: string };
  stop: () => Promise<void>;
}

export async function openTracing(
  config: TracingConfig,
  report: (error: unknown) => void,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import("./opentelemetry.ts");
  return startTracing(endpoint, config, report);
}
