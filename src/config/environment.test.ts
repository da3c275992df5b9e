import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readConfig } from "./config.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const place = await mkdtemp(join(tmpdir(), "afara-environment-"));
after(() => rm(place, { recursive: true }));
await writeFile(join(place, "empty"), "\n");

const SECRET = "a secret of more than thirty-two characters";
const read = (environment: Readonly<Record<string, string>>) =>
  readConfig({ AFARA_DATA_DIR: place, ...environment }, ROOT);

test("the operator's port is 9090 on this machine alone, another if it is named, and none when it is off", async () => {
  const admin = async (environment: Readonly<Record<string, string>>) => (await read(environment)).config.admin;
  assert.deepEqual(await admin({}), { host: "127.0.0.1", port: 9090 });
  assert.deepEqual(await admin({ AFARA_ADMIN_HOST: "10.0.0.1", AFARA_ADMIN_PORT: "0" }), { host: "10.0.0.1", port: 0 });
  assert.deepEqual(await admin({ AFARA_ADMIN_PORT: "off" }), { host: "127.0.0.1", port: undefined });
});

test("spans go to the collector that is named, and nowhere without one or with a share of 0", async () => {
  const tracing = async (environment: Readonly<Record<string, string>>) => (await read(environment)).config.tracing;
  const endpoint = "http://127.0.0.1:4318";
  assert.equal(await tracing({ OTEL_SERVICE_NAME: "x", OTEL_TRACES_SAMPLER_ARG: "1" }), undefined);
  assert.deepEqual(await tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }), {
    endpoint,
    serviceName: "afara",
    ratio: 1,
  });
  const more = { OTEL_SERVICE_NAME: "lagos", OTEL_TRACES_SAMPLER_ARG: ".25" };
  assert.deepEqual(await tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more }), {
    endpoint,
    serviceName: "lagos",
    ratio: 0.25,
  });
  assert.equal(await tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: "0.0" }), undefined);
});

test("an environment that says nothing has no fault and no warning", async () => {
  const { faults, warnings } = await read({});
  assert.deepEqual([faults, warnings], [[], []]);
});

type Case = readonly [environment: Readonly<Record<string, string>>, ...faults: readonly string[]];
const CASES: readonly Case[] = [
  [{ AFARA_PORT: "70000" }, 'AFARA_PORT: "70000" is not a port (0 to 65535)'],
  [{ AFARA_PORT: "-1" }, 'AFARA_PORT: "-1" is not a port (0 to 65535)'],
  [{ AFARA_PORT: "0x1f" }, 'AFARA_PORT: "0x1f" is not a port (0 to 65535)'],
  [{ AFARA_PORT: "80.5" }, 'AFARA_PORT: "80.5" is not a port (0 to 65535)'],
  [{ AFARA_ADMIN_PORT: "none" }, 'AFARA_ADMIN_PORT: "none" is not a port or off (0 to 65535)'],
  [
    { AFARA_ADMIN_PORT: "8080" },
    "AFARA_ADMIN_PORT: 8080 is the gateway's own (AFARA_PORT); each needs a port of its own",
  ],
  [{ AFARA_LEASE_SECONDS: "1" }, 'AFARA_LEASE_SECONDS: "1" is not a whole number of seconds (2 to 600)'],
  [
    { AFARA_ROLE: "dispacher" },
    'AFARA_ROLE: "dispacher" is not one of all, api, dispatcher. Did you mean "dispatcher"?',
  ],
  [{ AFARA_ROLE: "boss" }, 'AFARA_ROLE: "boss" is not one of all, api, dispatcher.'],
  [{ AFARA_ENV: "prodution" }, 'AFARA_ENV: "prodution" is not one of production, local. Did you mean "production"?'],
  [
    { AFARA_LOG_LEVEL: "INFO" },
    'AFARA_LOG_LEVEL: "INFO" is not one of debug, info, warn, error, silent. Did you mean "info"?',
  ],
  [{ AFARA_SECRET_FILE: join(place, "none") }, `AFARA_SECRET_FILE: ${join(place, "none")} does not exist`],
  [{ AFARA_SECRET_FILE: place }, `AFARA_SECRET_FILE: ${place} is a folder`],
  [
    { AFARA_PORT_FILE: join(place, "empty") },
    `AFARA_PORT_FILE: ${join(place, "empty")} is empty; it must hold the value of AFARA_PORT`,
  ],
  [
    { DATABASE_URL: "postgres://afara:ge/heim@127.0.0.1:x/afara" },
    "DATABASE_URL: must look like postgres://user:password@host:5432/database; what is in it besides letters and digits is written as %40 for @, %2F for /, %23 for #",
  ],
  [{ REDIS_URL: "127.0.0.1:6379" }, "REDIS_URL: must look like redis://user:password@host:6379/0 (rediss:// for TLS)"],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318/ge/heim" },
    "OTEL_EXPORTER_OTLP_ENDPOINT: must look like http://127.0.0.1:4318 (https:// for TLS)",
  ],
  ...["2", "-1", "x", "1e-1", "."].map(
    (share): Case => [
      { OTEL_TRACES_SAMPLER_ARG: share },
      `OTEL_TRACES_SAMPLER_ARG: "${share}" is not a share of all traces (0 to 1, e.g. 0.1)`,
    ],
  ),
  [
    { AFARA_ENV: "production", AFARA_SECRET: SECRET, DATABASE_URL: "" },
    "DATABASE_URL: is set to nothing; give it a value, or take it out of the environment",
  ],
  [
    { AFARA_CONFIG: join(place, "none.ts") },
    `AFARA_CONFIG: ${join(place, "none.ts")} does not exist. Is the path right?`,
  ],
];
for (const [environment, ...faults] of CASES)
  test(`${JSON.stringify(environment).replaceAll(place, "…")} is told with what to do`, async () => {
    const found = (await read(environment)).faults;
    assert.deepEqual(found, faults);
    assert.doesNotMatch(found.join("\n"), /ge\/heim|a secret of/);
  });

test("a variable that is set to nothing counts as not set, and is told", async () => {
  const { config, faults, warnings, slips } = await read({ AFARA_PORT: "", AFARA_CONFIG: "" });
  assert.deepEqual([config.port, faults, slips], [8080, [], []]);
  assert.deepEqual(warnings, [
    "AFARA_PORT: is set to nothing, which counts as not set",
    "AFARA_CONFIG: is set to nothing, which counts as not set",
  ]);
});

for (const [name, meant] of [
  ["AFARA_PROT", "AFARA_PORT"],
  ["afara_port", "AFARA_PORT"],
  ["AFARA_SECRET_FLIE", "AFARA_SECRET_FILE"],
  ["AFARA_DATABASE_URL", "DATABASE_URL"],
  ["DATABSE_URL", "DATABASE_URL"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["REDIS_URI", "REDIS_URL"],
] as const)
  test(`${name} is told with ${meant}, which was meant`, async () => {
    const { slips, faults } = await read({ [name]: "x" });
    assert.deepEqual(faults, []);
    assert.equal(slips.length, 1, slips.join("\n"));
    assert.match(slips[0]!, new RegExp(`^${name}: .* did you mean ${meant}\\?$`));
  });

test("a variable that the configuration file reads is no slip, and neither are those of other programs", async () => {
  const path = join(place, "own.config.ts");
  await writeFile(
    path,
    `import own from ${JSON.stringify(join(ROOT, "afara.config.ts"))};\nvoid process.env.AFARA_PROT;\nexport default own;\n`,
  );
  const { slips, faults } = await read({ AFARA_CONFIG: path, AFARA_PROT: "x", DATABASE_HOST: "x", REDIS_HOST: "x" });
  assert.deepEqual([slips, faults], [[], []]);
});

test("faults of variables and of the file are told together, the variables first", async () => {
  const path = join(place, "faulty.config.ts");
  await writeFile(
    path,
    `import own from ${JSON.stringify(join(ROOT, "afara.config.ts"))};
export default { ...own, playMoney: 100, routes: [{ ...own.routes[0], provider: "smsc-simulatr" }] };\n`,
  );
  const { faults } = await read({ AFARA_PORT: "x", AFARA_CONFIG: path, AFARA_ROLE: "boss" });
  assert.deepEqual(
    faults.map((fault) => fault.replace(`${path}: `, "").split(": ")[0]),
    ["AFARA_PORT", "AFARA_ROLE", "playMoney", "routes[0].provider"],
  );
  for (const fault of faults.slice(2)) assert.ok(fault.startsWith(`${path}: `), fault);
});

test("the beginning of a choice is understood as that choice", async () => {
  const { faults } = await read({ AFARA_ENV: "prod" });
  assert.match(faults.join("\n"), /AFARA_ENV: "prod" is not one of production, local\. Did you mean "production"\?/);
});
