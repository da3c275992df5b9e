import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endWithFile } from "./end-with-file.ts";
import { freePort } from "./gateway.ts";
import { waitFor } from "./wait-for.ts";

export interface PrometheusServer {
  /** The values of an instant query, by the labels that it leaves. */
  query(expression: string): Promise<readonly { readonly metric: Record<string, string>; readonly value: number }[]>;
  /** Names of the alerts that it has loaded. */
  alerts(): Promise<readonly string[]>;
}

interface Answered<Data> {
  readonly status: string;
  readonly data: Data;
}

/** Debian's prometheus with files below `dir`, on a free port of loopback, scraping one address. It ends with the test file. */
export async function startPrometheus(dir: string, target: string, rules: string): Promise<PrometheusServer> {
  const port = await freePort();
  const place = join(dir, "prometheus");
  await mkdir(place);
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [rules],
    scrape_configs: [{ job_name: "afara", static_configs: [{ targets: [target] }] }],
  };
  await writeFile(join(place, "prometheus.yml"), JSON.stringify(config)); // JSON is YAML
  const args = [
    `--config.file=${join(place, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(place, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=error",
  ];
  endWithFile(spawn("prometheus", args, { stdio: "ignore" }));
  const base = `http://127.0.0.1:${port}`;
  await waitFor("prometheus to be ready", async () => (await fetch(`${base}/-/ready`).catch(() => undefined))?.ok);
  const ask = async <Data>(path: string) => ((await (await fetch(`${base}${path}`)).json()) as Answered<Data>).data;

  return {
    async query(expression) {
      const { result } = await ask<{
        readonly result: readonly {
          readonly metric: Record<string, string>;
          readonly value: readonly [number, string];
        }[];
      }>(`/api/v1/query?query=${encodeURIComponent(expression)}`);
      return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
    },
    async alerts() {
      const { groups } = await ask<{
        readonly groups: readonly { readonly rules: readonly { readonly name: string }[] }[];
      }>("/api/v1/rules");
      return groups.flatMap((group) => group.rules.map(({ name }) => name));
    },
  };
}
