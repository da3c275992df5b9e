import assert from "node:assert/strict";
import { after } from "node:test";
import type { Database } from "../db/database.ts";
import { fundingCallback } from "../funding/callback.routes.ts";
import { topupRoutes } from "../funding/topups.routes.ts";
import { makeTopups } from "../funding/topups.service.ts";
import { makeVerifier, type Verifier } from "../funding/verifier.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { parseKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { readWallet } from "../ledger/ledger.repo.ts";
import { FUNDING_PROVIDERS } from "../providers/registry.ts";
import type { Fault } from "../simulators/paystack/faults.ts";
import { PaystackSimulator } from "../simulators/paystack/server.ts";
import { makeRig } from "./http-rig.ts";

/** A top-up as subscribers see it. */
export interface TopupAnswer {
  readonly id: string;
  readonly status: string;
  readonly mode: string;
  readonly method: string;
  readonly amount?: { readonly amount: string };
  readonly paid?: { readonly amount: string };
  readonly amount_differs?: boolean;
  readonly payment_url?: string;
  readonly bank_account?: { readonly bank: string; readonly account_number: string; readonly account_name: string };
  readonly expires_at?: string;
}

export const PAYSTACK_KEY = "sk_test_of_the_tests";

/** How long the adapter waits for Paystack in these tests. */
const TIMEOUT_MS = 300;

/**
 * Top-ups on a real database and over real HTTP in both directions, with a clock that stands: an account with a key, and
 * Paystack's simulator, which reports to the rig's callback.
 */
export async function makeFundingRig(
  db: Database,
  more: { readonly mode?: Mode; readonly settings?: object; readonly without?: "provider" } = {},
) {
  const simulator = new PaystackSimulator({
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    fetch,
    secretKey: PAYSTACK_KEY,
    callbackUrl: undefined,
  });
  const port = await simulator.start();
  after(() => simulator.stop());

  const accountId = newUuid();
  await db.query("insert into accounts (id, name) values ($1, 'Example Ltd')", [accountId]);
  const mode = more.mode ?? "live";
  const http = await makeRig({ key: { accountId, keyId: newUuid(), mode, scopes: ["read", "manage"] } });
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

  const built = FUNDING_PROVIDERS.find(({ adapter }) => adapter === "paystack")?.build(
    {
      secretKey: PAYSTACK_KEY,
      sandbox: true,
      customerEmail: "topups+{account}@example.ng",
      baseUrl: `http://127.0.0.1:${port}`,
      timeoutMs: TIMEOUT_MS,
      ...more.settings,
    },
    { clock: http.clock, fetch, log },
  );
  assert.ok(built?.ok, JSON.stringify(built));
  const provider = built.value;
  const verifier: Verifier = makeVerifier({ db, clock: http.clock, log, provider });
  const topups = makeTopups({
    db,
    clock: http.clock,
    log,
    provider: more.without === "provider" ? undefined : provider,
    minimumKobo: parseKobo("100.00"),
    maximumKobo: parseKobo("1000000.00"),
  });
  topupRoutes(http.app, { db, topups });
  fundingCallback(http.app, { provider, verifier, log });
  await http.app.listen({ host: "127.0.0.1", port: 0 });
  after(() => http.app.close());
  const address = http.app.server.address();
  assert.ok(typeof address === "object" && address);
  const base = `http://127.0.0.1:${address.port}`;
  simulator.callbackUrl = `${base}/callbacks/paystack`;

  const call = async <Body = TopupAnswer>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        "x-api-key": http.key,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  };

  return {
    accountId,
    base,
    call,
    clock: http.clock,
    simulator,
    verifier,
    /** Asks for a top-up that must be given. */
    async topUp(amount: unknown, method = "link"): Promise<TopupAnswer> {
      const made = await call("POST", "/wallet/topups", { amount, method });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body;
    },
    read: async (id: string): Promise<TopupAnswer> => (await call("GET", `/wallet/topups/${id}`)).body,
    /** The simulator's control API; gives what it answered. */
    async control(path: string, body: object): Promise<{ readonly delivered?: number[]; readonly reference?: string }> {
      const response = await fetch(`http://127.0.0.1:${port}/control${path}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 200, await response.clone().text());
      return (await response.json()) as { delivered?: number[]; reference?: string };
    },
    faults: (...faults: Fault[]) => {
      simulator.faults = faults;
    },
    /** Naira in the account's wallet, in kobo. */
    balance: async (of: Uuid = accountId): Promise<bigint> => (await readWallet(db, of, mode))?.balanceKobo ?? 0n,
    calls: (part: string) => simulator.calls.filter((line) => line.includes(part)).length,
  };
}

const ignore = () => undefined;

export type FundingRig = Awaited<ReturnType<typeof makeFundingRig>>;

/** As Paystack knows a payment page of ours. */
export const referenceOf = ({ id }: TopupAnswer): string => id.replace("_", "-");
