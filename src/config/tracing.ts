import type { EnvironmentReader } from "./environment.ts";

/** Where spans go, by OpenTelemetry's own variables. */
export interface TracingConfig {
  readonly endpoint: string;
  readonly serviceName: string;
  /** Of all traces, from 0 to 1. */
  readonly ratio: number;
}

/** Undefined: nowhere, and none are made. */
export function readTracing({ text, faults }: EnvironmentReader): TracingConfig | undefined {
  const endpoint = text("OTEL_EXPORTER_OTLP_ENDPOINT");
  const serviceName = text("OTEL_SERVICE_NAME") ?? "afara";
  const share = text("OTEL_TRACES_SAMPLER_ARG") ?? "1";
  const ratio = /^\d*\.?\d+$/.test(share) ? Number(share) : Number.NaN;
  if (!(ratio <= 1)) faults.push(`OTEL_TRACES_SAMPLER_ARG: "${share}" is not a share of all traces (0 to 1, e.g. 0.1)`);
  if (endpoint === undefined) return undefined;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    faults.push("OTEL_EXPORTER_OTLP_ENDPOINT: must look like http://127.0.0.1:4318 (https:// for TLS)");
  return ratio === 0 ? undefined : { endpoint, serviceName, ratio };
}
