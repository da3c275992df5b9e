import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkSecret } from "../../src/accounts/secret.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { freePort } from "../../src/testing/gateway.ts";
import { MAIN, type Start, startProgram } from "./program.ts";

const place = await mkdtemp(join(tmpdir(), "afara-refusals-"));
const database = await makeTestDatabase();
const taken = createServer();
let takenPort = 0;
before(async () => {
  takenPort = await freePort();
  await new Promise<void>((resolve) => taken.listen(takenPort, "127.0.0.1", resolve));
});
after(async () => {
  taken.close();
  await rm(place, { recursive: true });
});

/** What an operator reads who starts the program with this environment: exit code 1, one message, no stack. */
async function refusal(environment: Start["environment"]): Promise<readonly string[]> {
  const running = startProgram({
    command: [process.execPath, MAIN],
    environment: {
      AFARA_DATA_DIR: join(place, "data"),
      AFARA_PORT: String(await freePort()),
      AFARA_LOG_LEVEL: "error",
      ...environment,
    },
  });
  assert.equal(await running.ended, 1, running.output());
  const [headline, ...faults] = running.output().trimEnd().split("\n");
  assert.equal(headline, "Afara can't start:");
  for (const fault of faults) assert.match(fault, /^ {2}- /, `one line for each fault, no stack:\n${running.output()}`);
  return faults.map((fault) => fault.slice(4));
}

/** Exactly these faults, in this order. */
function assertFaults(found: readonly string[], expected: readonly RegExp[]): void {
  assert.equal(found.length, expected.length, found.join("\n"));
  for (const [index, pattern] of expected.entries()) assert.match(found[index]!, pattern);
}

const THREE_FAULTS = `import own from ${JSON.stringify(join(import.meta.dirname, "..", "..", "afara.config.ts"))};
export default { ...own, vatBasisPoints: -1, playMoney: 100, routes: [{ ...own.routes[0], window: 0 }] };
`;

async function threeFaults(): Promise<string> {
  const path = join(place, "three-faults.config.mjs");
  await writeFile(path, THREE_FAULTS);
  return path;
}

const PORT_TAKEN = /^AFARA_PORT: port \d+ on 127\.0\.0\.1 is taken; stop what uses it or choose another/;
const DATABASE_AWAY = /^DATABASE_URL: can't connect to 127\.0\.0\.1:9: .*ECONNREFUSED/;
const THREE = [/vatBasisPoints: /, /playMoney: /, /routes\[0\]\.window: /];

test("a port that is taken is told with a way out", async () => {
  assertFaults(await refusal({ AFARA_PORT: String(takenPort) }), [PORT_TAKEN]);
});

test("a data directory that is a file is told by its path", async () => {
  const file = join(place, "file");
  await writeFile(file, "");
  const [fault] = await refusal({ AFARA_DATA_DIR: file });
  assert.match(fault!, /^AFARA_DATA_DIR: .*\/file is a file, or in one; choose another directory or mend its rights/);
});

test("a database that is not there is told with its address and without its password", async () => {
  const faults = await refusal({ DATABASE_URL: "postgres://afara:geheim@127.0.0.1:9/afara" });
  assertFaults(faults, [DATABASE_AWAY]);
  assert.doesNotMatch(faults.join(), /geheim/);
});

test("a DATABASE_URL that is none is told", async () => {
  assertFaults(await refusal({ DATABASE_URL: "mysql://127.0.0.1/afara" }), [/^DATABASE_URL: must look like postgres:/]);
});

test("a variable that Afara does not read is told with the one that was meant, and keeps nothing from starting", async () => {
  const running = startProgram({
    command: [process.execPath, MAIN],
    environment: { AFARA_DATA_DIR: join(place, "data"), AFARA_PORT: String(takenPort), AFARA_ROL: "api" },
  });
  assert.equal(await running.ended, 1);
  const [warning, , ...faults] = running.output().trimEnd().split("\n");
  assert.equal(warning, "Warning: AFARA_ROL: Afara itself reads no variable of this name; did you mean AFARA_ROLE?");
  assert.equal(faults.length, 1, "that the port is taken is the only fault");
});

test("a variable that is given both ways is told, whether its file is there or not", async () => {
  const secret = "a secret of more than thirty-two characters";
  assertFaults(
    await refusal({ AFARA_SECRET: secret, AFARA_SECRET_FILE: join(place, "none"), AFARA_PORT_FILE: "/none" }),
    [/^AFARA_SECRET: both AFARA_SECRET and AFARA_SECRET_FILE are set/, /^AFARA_PORT: both /],
  );
});

test("a proxy that is trusted is an address or a block", async () => {
  assertFaults(
    await refusal({
      AFARA_TRUST_PROXY: "10.0.0.0/8, 10.0.0.0/255.0.0.0, loopback, 2001:db8::1, lb.example.com, 10.0.0.0/33",
    }),
    [
      /^AFARA_TRUST_PROXY: "lb\.example\.com" is no address and no CIDR block$/,
      /^AFARA_TRUST_PROXY: "10\.0\.0\.0\/33" is no address and no CIDR block$/,
    ],
  );
});

test("a node with another secret than its database's is told so, and starts nothing", async () => {
  await checkSecret(database.open(), "the secret of the node that was first");
  assertFaults(await refusal({ DATABASE_URL: database.url, AFARA_SECRET: "another secret" }), [
    /^AFARA_SECRET: the API keys in this database were made with another secret/,
  ]);
});

test("three faults of the configuration are told in one message, each with its place", async () => {
  assertFaults(await refusal({ AFARA_CONFIG: await threeFaults() }), THREE);
});

test("a configuration that can't be read is told with line and column, beside the faults of the environment", async () => {
  const path = join(place, "broken.config.ts");
  await writeFile(path, "export default {\n  routes: [\n};\n");
  assertFaults(await refusal({ AFARA_CONFIG: path, AFARA_ROLE: "al", AFARA_PORT: String(takenPort) }), [
    /^AFARA_ROLE: "al" is not one of .* Did you mean "all"\?$/,
    /broken\.config\.ts:3:1: can't be read: .*The line is: \};$/,
    PORT_TAKEN,
  ]);
});

test("a wrong route is told with the faults of shape and of settings, each once", async () => {
  const path = join(place, "mixed.config.mjs");
  await writeFile(
    path,
    `import own from ${JSON.stringify(join(import.meta.dirname, "..", "..", "afara.config.ts"))};
const provider = own.providers["smsc-simulator"];
export default { ...own, playMoney: 100, providers: { "smsc-simulator": { ...provider, settings: { ...provider.settings, binds: 0 } } },
  routes: [{ ...own.routes[0], provider: "smsc-simulatr", modes: ["tset"] }] };
`,
  );
  assertFaults(await refusal({ AFARA_CONFIG: path }), [
    /: playMoney: must be naira in quotes.*; 100 stands there/,
    /: providers\.smsc-simulator\.settings\.binds: must be a whole number/,
    /: routes\[0\]\.provider: "smsc-simulatr" is not among providers\. Did you mean "smsc-simulator"\?$/,
    /: routes\[0\]\.modes\[0\]: must be one of "live", "test"; "tset" stands there\. Did you mean "test"\?$/,
  ]);
});

test("faults of a provider's settings are told with the others", async () => {
  const path = join(place, "settings.config.mjs");
  await writeFile(
    path,
    `import own from ${JSON.stringify(join(import.meta.dirname, "..", "..", "afara.config.ts"))};
const provider = own.providers["smsc-simulator"];
export default { ...own, providers: { ...own.providers, "smsc-simulator": { ...provider, settings: { ...provider.settings, binds: 0 } } } };
`,
  );
  assertFaults(await refusal({ AFARA_CONFIG: path, AFARA_PORT: String(takenPort) }), [
    /: providers\.smsc-simulator\.settings\.binds: /,
    PORT_TAKEN,
  ]);
});

test("port, data directory, database and three faults of the configuration are all told in one message", async () => {
  const file = join(place, "file-too");
  await writeFile(file, "");
  const faults = await refusal({
    AFARA_PORT: String(takenPort),
    AFARA_DATA_DIR: file,
    DATABASE_URL: "postgres://afara@127.0.0.1:9/afara",
    AFARA_CONFIG: await threeFaults(),
  });
  assertFaults(faults, [/^AFARA_DATA_DIR: /, ...THREE, PORT_TAKEN, DATABASE_AWAY]);
});
