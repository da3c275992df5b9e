import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";

/** What an operator needs in an emergency must not wait for a vendor's password. */

const database = await makeTestDatabase();
const data = await makeDataDir();
after(data.remove);
const own = join(import.meta.dirname, "..", "..", "afara.config.ts");

async function configured(name: string, change: string): Promise<ReturnType<typeof makeCli>> {
  const path = join(data.dir, `${name}.config.mjs`);
  await writeFile(
    path,
    `import own from ${JSON.stringify(own)};\nconst config = { ...own };\n${change}\nexport default config;\n`,
  );
  return makeCli({ AFARA_DATA_DIR: data.dir, AFARA_CONFIG: path, DATABASE_URL: database.url });
}

const PASSWORDLESS = `config.providers = { ...own.providers, "example-smsc": { adapter: "smpp", settings: {
  host: "smsc.example", port: 2775, tls: true, systemId: "afara", password: process.env.EXAMPLE_SMSC_PASSWORD } } };
config.funding = { adapter: "paystack", settings: { secretKey: process.env.PAYSTACK_SECRET_KEY } };
config.simulators = { ...own.simulators, smsc: { smppPort: "2775" } };`;

const COMMANDS = [
  "where",
  "migrate",
  "ledger check",
  "account list",
  "account create --name Shop",
  "key list --account acc_01kb3v9q4ze1xb8m6t2r5y7w0n",
  "key revoke key_01kb3v9q4ze1xb8m6t2r5y7w0n",
  "audit list",
  "orders list",
  "orders stuck",
  "orders show 08031234567",
  "cases list",
  "providers status",
  "providers pause example-smsc --reason away",
  "providers resume example-smsc",
  "numbers list",
  "chat-numbers list",
  "senders list",
  "wallet show --account acc_01kb3v9q4ze1xb8m6t2r5y7w0n --mode live",
  "topups kept",
  "plans",
];

const passwordless = await configured("passwordless", PASSWORDLESS);
for (const command of COMMANDS)
  test(`${command} goes on without a vendor's password, and names doctor`, async () => {
    const { code, err, out } = await passwordless(command.split(" "));
    assert.doesNotMatch(err, /has faults:|Usage|unknown/, err);
    assert.match(err, /^Warning: the vendors' settings have 4 faults, .*: \.\/afara doctor$/m);
    assert.notEqual(code, 2, err + out);
  });

test("doctor tells each of the vendors' faults, and what it finds besides", async () => {
  const { code, out } = await passwordless(["doctor"]);
  assert.equal(code, 1);
  assert.match(out, /example-smsc\.settings\.password: is missing.*EXAMPLE_SMSC_PASSWORD/);
  assert.match(out, /funding\.settings\.secretKey/);
  assert.match(out, /✔ database +reached/);
  assert.match(out, /plans +every subscription's plan/);
});

test("what commands need themselves stops them: a price that is none, vendors that are no object", async () => {
  for (const [name, change] of [
    ["price", "config.playMoney = 5;"],
    ["providers", `config.providers = "none";`],
    ["route", `config.routes = [...own.routes, { provider: "nobody" }];`],
  ] as const) {
    const { code, err } = await (await configured(name, `${PASSWORDLESS}\n${change}`))(["orders", "list"]);
    assert.equal(code, 2, name);
    assert.match(err, /The configuration has faults:/);
  }
});
