import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../../src/testing/gateway.ts";
import { needs } from "../../src/testing/needs.ts";
import { startPrometheus } from "../../src/testing/prometheus-server.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { phone, startRig } from "./rig.ts";

const adminPort = await freePort();
const rig = await startRig(undefined, { AFARA_ADMIN_PORT: String(adminPort) });
const customer = await rig.subscriber();

const OPERATIONS = join(import.meta.dirname, "../../docs/operations");
const RULES = join(OPERATIONS, "prometheus-rules.yml");
const read = (name: string) => readFileSync(join(OPERATIONS, name), "utf8");
const admin = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${adminPort}${path}`, init);
const scrape = async () => (await admin("/metrics")).text();

/** Every metric that is there, by its `# TYPE` line. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map((found) => found[1]!));
/** The value of one series, written as it stands in the scrape. */
const seriesValue = (text: string, series: string): number | undefined => {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
};
/** Waits until a fresh scrape has it: what was scraped before is kept for two seconds. */
const counted = (series: string, value: number) =>
  waitFor(`${series} to be ${value}`, async () => seriesValue(await scrape(), series) === value || undefined);

test("a message is counted from its acceptance to its end, with its money and its vendor's answer", async () => {
  const { id } = await customer.send({ to: phone(1), message: "Counted" });
  await customer.ended(id);
  await counted('afara_orders_total{service="sms",provider="smsc-simulator",mode="test",outcome="delivered"}', 1);
  const text = await scrape();
  const one = [
    'afara_orders_accepted_total{service="sms",mode="test"}',
    'afara_ledger_entries_total{kind="hold",mode="test"}',
    'afara_ledger_entries_total{kind="post",mode="test"}',
    'afara_provider_answers_total{provider="smsc-simulator",operation="send",outcome="accepted"}',
    'afara_provider_request_duration_seconds_count{provider="smsc-simulator",operation="send"}',
    'afara_http_request_duration_seconds_count{route="/sms/send",method="POST",status_class="2xx"}',
    'afara_commit_batch_orders_sum{lane="accept"}',
    'afara_route_up{provider="smsc-simulator"}',
  ];
  assert.deepEqual(
    one.filter((series) => seriesValue(text, series) !== 1),
    [],
  );
  assert.equal(
    seriesValue(text, 'afara_ledger_entries_total{kind="loss",mode="live"}'),
    0,
    "there before the first loss",
  );
  assert.equal(seriesValue(text, "afara_unread_metrics"), 0);
});

test("refusals are counted by their code, and a bulk by its recipients", async () => {
  const { code } = await customer.refused({ to: "0", message: "Refused" });
  const to = [phone(2), phone(3), phone(4)];
  const { status } = await customer.post("/sms/bulk", { to, message: "To all" });
  assert.equal(status, 202);
  await counted('afara_orders_accepted_total{service="sms",mode="test"}', 4);
  assert.equal(seriesValue(await scrape(), `afara_http_refusals_total{code="${code}"}`), 1);
});

test("no label has an id, a number, an account or what a caller wrote", async () => {
  for (const path of ["/sms/status/msg_01kb3v9q4ze1xb8m6t2r5y7w0n", "/nowhere/2348031234567", "/sms/2348031234567"])
    await customer.get(path);
  await fetch(`${rig.gateway.base}/sms/send`, { method: "BREW" }).catch(() => undefined);
  await counted('afara_http_refusals_total{code="unknown_endpoint"}', 2);
  const values = [...(await scrape()).matchAll(/[{,](\w+)="([^"]*)"/g)].filter(
    ([, name]) => name !== "version" && name !== "node",
  );
  assert.ok(values.length > 100);
  const odd = values.filter(
    ([, , value]) => !/^[A-Za-z0-9_./{}+-]+$/.test(value!) || /\d{7}|_0[0-9a-z]{24}/.test(value!),
  );
  assert.deepEqual(
    odd.map(([all]) => all),
    [],
  );
});

test("the operator's port has /metrics alone, to be read alone", async () => {
  assert.equal((await admin("/")).status, 404);
  assert.equal((await admin("/metrics/../sms/send")).status, 404);
  const posted = await admin("/metrics", { method: "POST", body: "x" });
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
  const answer = await admin("/metrics?format=x");
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assert.equal((await rig.local.get("/metrics")).status, 404, "the API's port has none");
});

/** Metrics that a text names, histograms without their suffix. */
const namedIn = (text: string, there: ReadonlySet<string>) =>
  new Set(
    [...text.matchAll(/\b(?:afara|process|nodejs)_[a-z_]+\b/g)].map(([name]) => {
      const bare = name.replace(/_(?:bucket|sum|count)$/, "");
      return there.has(bare) ? bare : name;
    }),
  );

test("every metric that the dashboard, the rules and the page name exists, and the page names every one", async () => {
  const there = namesIn(await scrape());
  const expressions = JSON.stringify(JSON.parse(read("grafana-dashboard.json")).panels);
  for (const text of [expressions, read("prometheus-rules.yml")])
    assert.deepEqual(
      [...namedIn(text, there)].filter((name) => !there.has(name)),
      [],
    );
  const rows = new Set([...read("metrics.md").matchAll(/^\| `([a-z_]+)/gm)].map((found) => found[1]!));
  assert.deepEqual([...there].toSorted(), [...rows].toSorted());
});

test("the page says of every alert what to do", () => {
  const alerts = [...read("prometheus-rules.yml").matchAll(/alert: (\w+)/g)].map((found) => found[1]!);
  const rows = [...read("metrics.md").matchAll(/^\| `(Afara\w+)`/gm)].map((found) => found[1]!);
  assert.deepEqual(rows, alerts);
});

const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
};

test("Prometheus's own checker takes the rules", { skip: needs("prometheus") }, () => {
  assert.match(promtool("check", "rules", "--lint=all", "--lint-fatal", RULES), /SUCCESS: \d+ rules found/);
});

/** Alerts that must fire, and the same with two nodes that must not count one row of the database twice. */
const FIRING = [
  ["AfaraRouteDown", { provider: "smsc" }, ['afara_route_up{provider="smsc",instance="a"} 0x20']],
  [
    "AfaraUnknownOutcomes",
    { service: "sms" },
    ["a", "b"].map((instance) => `afara_unknown_outcomes{service="sms",mode="live",instance="${instance}"} 21x20`),
  ],
  [
    "AfaraFloatLow",
    { provider: "v" },
    ['afara_provider_float_kobo{provider="v"} 5x20', 'afara_provider_float_low_kobo{provider="v"} 6x20'],
  ],
  ["AfaraWebhooksLag", { mode: "live" }, ['afara_webhook_lag_seconds{mode="live",status="active"} 61x20']],
  ["AfaraLoss", {}, ['afara_ledger_entries_total{kind="loss",mode="live"} 0 0 0 1x17']],
] as const;
const SILENT = [
  [
    "AfaraRouteDown",
    ['afara_route_up{provider="smsc",instance="a"} 0x20', 'afara_route_up{provider="smsc",instance="b"} 1x20'],
  ],
  [
    "AfaraUnknownOutcomes",
    ["a", "b"].map((instance) => `afara_unknown_outcomes{service="sms",mode="live",instance="${instance}"} 15x20`),
  ],
  ["AfaraWebhooksLag", ['afara_webhook_lag_seconds{mode="live",status="failing"} 9999x20']],
  ["AfaraLoss", ['afara_ledger_entries_total{kind="loss",mode="live"} 3x20']],
] as const;

test("alerts fire when they should, and no row of the database counts once for each node", {
  skip: needs("prometheus"),
}, async () => {
  const caseOf = (alert: string, series: readonly string[], labels?: object) => ({
    interval: "1m",
    input_series: series.map((one) => {
      const space = one.indexOf(" ");
      return { series: one.slice(0, space), values: one.slice(space + 1) };
    }),
    alert_rule_test: [{ eval_time: "15m", alertname: alert, exp_alerts: labels ? [{ exp_labels: labels }] : [] }],
  });
  const severities = new Map(
    [...read("prometheus-rules.yml").matchAll(/alert: (\w+)[\s\S]*?severity: (\w+)/g)].map(([, name, severity]) => [
      name!,
      severity!,
    ]),
  );
  const summaryless = join(rig.environment.AFARA_DATA_DIR!, "rules.yml");
  await writeFile(summaryless, read("prometheus-rules.yml").replaceAll(/\n +annotations:\n +summary: .*/g, ""));
  const tests = [
    ...FIRING.map(([alert, labels, series]) => caseOf(alert, series, { ...labels, severity: severities.get(alert) })),
    ...SILENT.map(([alert, series]) => caseOf(alert, series)),
  ];
  const path = join(rig.environment.AFARA_DATA_DIR!, "rules.test.yml");
  await writeFile(path, JSON.stringify({ rule_files: [summaryless], tests }));
  assert.match(promtool("test", "rules", path), /SUCCESS/);
});

test("a running Prometheus scrapes the gateway, loads the rules and answers a question", {
  skip: needs("prometheus"),
}, async () => {
  const prometheus = await startPrometheus(rig.environment.AFARA_DATA_DIR!, `127.0.0.1:${adminPort}`, RULES);
  await waitFor("a scrape", async () => (await prometheus.query('up{job="afara"}'))[0]?.value === 1);
  const delivered = await waitFor("delivered messages", async () => {
    const [found] = await prometheus.query('sum by (service) (afara_orders_total{outcome="delivered"})');
    return found;
  });
  assert.equal(delivered.metric.service, "sms");
  assert.ok(delivered.value >= 1);
  assert.equal((await prometheus.alerts()).length, [...read("prometheus-rules.yml").matchAll(/alert:/g)].length);
});

rig.provesItsLedger();
