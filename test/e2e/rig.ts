import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ConfigFile } from "../../src/config/operator-file.ts";
import type { Connection, Database } from "../../src/db/database.ts";
import { DAY_MS } from "../../src/kernel/duration.ts";
import { type ErasedName, makeErasedName } from "../../src/kernel/erased-name.ts";
import { decodeId } from "../../src/kernel/ids.ts";
import { type Kobo, parseKobo } from "../../src/kernel/kobo.ts";
import { SmscClient } from "../../src/simulators/smsc/client.ts";
import { readSmscLog, type SubmitLine } from "../../src/simulators/smsc/log.ts";
import { VendorClient } from "../../src/simulators/vendors/client.ts";
import { SMS_STEPS } from "../../src/sms/sms.steps.ts";
import { makeTestAccount, readSecret, type TestAccount, type TestAccountOptions } from "../../src/testing/account.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { type Answer, type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { problemFault } from "../../src/testing/problem-check.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** A message as subscribers see it; `GET /sms/status/{id}` adds the last three. */
export interface Message {
  readonly id: string;
  readonly object: "sms";
  readonly direction: "outbound";
  readonly mode: "live" | "test";
  readonly status: string;
  readonly to: string;
  readonly from: string;
  readonly message: string;
  readonly encoding: "gsm7" | "ucs2";
  readonly segments: number;
  readonly network_guess: string | null;
  readonly price: Money & { readonly tax: string };
  readonly charge: "held" | "charged" | "returned";
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly bulk_id?: string;
  readonly send_at?: string;
  readonly leaves_at?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly failure?: { readonly code: string; readonly detail: string };
  readonly parts?: readonly { readonly index: number; readonly status: string }[];
  readonly timeline: readonly { readonly status: string; readonly at: string; readonly detail?: string }[];
}

export interface Money {
  readonly amount: string;
  readonly currency: "NGN";
}

export interface Problem {
  readonly type: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
  readonly retryable: boolean;
  readonly order_id?: string;
  readonly order_status?: string;
  readonly renews_at?: string;
  readonly errors?: readonly {
    readonly pointer?: string;
    readonly parameter?: string;
    readonly code: string;
    readonly detail: string;
  }[];
}

export interface Bulk {
  readonly id: string;
  readonly reference?: string;
  readonly accepted: number;
  readonly rejected: readonly {
    readonly index: number;
    readonly to: string;
    readonly code: string;
    readonly detail: string;
  }[];
  readonly price: Money & { readonly tax: string };
  readonly leaves_at?: string;
  readonly messages: readonly { readonly id: string; readonly to: string; readonly status: string }[];
}

export interface BulkSummary {
  readonly id: string;
  readonly reference?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly price: Money & { readonly tax: string };
  readonly amounts: { readonly held: Money; readonly charged: Money; readonly returned: Money };
  readonly completed_at?: string;
}

export interface Page {
  readonly object: "list";
  readonly data: readonly Message[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

export interface HandsetMessage {
  readonly channel: "sms" | "chat";
  readonly from: string;
  readonly text: string;
  readonly parts: number;
  readonly message_id: string;
}

/** Somebody who calls the gateway with a key of their own. */
export interface Subscriber {
  readonly key: string;
  get<Body>(path: string): Promise<Answer<Body>>;
  post<Body>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  /** `POST /sms/send` that must be accepted. */
  send(body: object, headers?: Record<string, string>): Promise<Message>;
  /** `POST /sms/send` that must be refused. */
  refused(body: object, headers?: Record<string, string>): Promise<Problem>;
  status(id: string): Promise<Message>;
  /** The message once it has reached the state. */
  reached(id: string, state: string, timeoutMs?: number): Promise<Message>;
  /** The message in its final state. */
  ended(id: string, timeoutMs?: number): Promise<Message>;
  wallet(): Promise<{ readonly balance: Kobo; readonly held: Kobo; readonly available: Kobo }>;
  /** What this subscriber's messages left on the handset, the newest first. */
  handset(phone: string): Promise<readonly HandsetMessage[]>;
}

export interface Rig {
  readonly gateway: Gateway;
  readonly db: Database;
  readonly connection: Connection;
  /** The local account, on the largest plan, with play money. */
  readonly local: Subscriber;
  /** The SMSC simulator's control. */
  readonly smsc: SmscClient;
  /** The simulated vendors' control. */
  readonly vendors: VendorClient;
  subscriber(options?: Partial<Omit<TestAccountOptions, "secret">>): Promise<Subscriber & TestAccount>;
  /** Another key's view of the same gateway. */
  as(key: string): Subscriber;
  /** The secret that keys are hashed with. */
  readonly secret: string;
  readonly erasedName: ErasedName;
  /** What tells the command line which gateway it is. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every submit that came over the wire for these messages, from the simulator's log. */
  submits(ids: readonly string[]): Promise<readonly SubmitLine[]>;
}

const FINAL: ReadonlySet<string> = new Set(
  Object.entries(SMS_STEPS.states).flatMap(([state, { final }]) => (final ? [state] : [])),
);

/** How much later than promised something may come on a machine that also runs other tests. */
export const LATE_MS = 30_000;

/** Longer than a file's tests take: what they count by day or month in Lagos is not to begin anew amid them. */
const DAY_GOES_ON_MS = 180_000;
/** Lagos is an hour ahead of UTC all year. */
const leftOfDayMs = () => DAY_MS - ((Date.now() + 3_600_000) % DAY_MS);

/**
 * The running program on a database and data directory of its own, for one test file. The file's last test proves the
 * ledger: call `provesItsLedger` at the end.
 */
export async function startRig(
  change?: (config: ConfigFile) => ConfigFile,
  more: Readonly<Record<string, string>> = {},
): Promise<Rig & { readonly provesItsLedger: () => void }> {
  await waitFor("a day that goes on", () => leftOfDayMs() > DAY_GOES_ON_MS, 2 * DAY_GOES_ON_MS);
  const data = await makeDataDir();
  let gateway: Gateway | undefined;
  // Before the database's own hook: a gateway that loses its database while it stops would wait for it.
  after(async () => {
    await gateway?.stop();
    await data.remove();
  });
  const database = await makeTestDatabase();
  const config = await writeTestConfig(data.dir, change);
  const environment = { DATABASE_URL: database.url, AFARA_CONFIG: config.path, ...more };
  gateway = await startGateway({ dataDir: data.dir, environment });
  const running = gateway;
  const db = database.open();
  const secret = await readSecret(data.dir);

  return {
    gateway: running,
    db,
    connection: database.connection,
    local: makeSubscriber(running, running.key),
    smsc: new SmscClient(config.controlPort, fetch),
    vendors: new VendorClient(config.vendorsControlPort, fetch),
    secret,
    erasedName: makeErasedName(secret),
    environment: { ...environment, AFARA_DATA_DIR: data.dir },
    as: (key) => makeSubscriber(running, key),
    async subscriber(options = {}) {
      const account = await makeTestAccount(db, { plan: "scale", balance: "1000.00", ...options, secret });
      return { ...makeSubscriber(running, account.key), ...account };
    },
    async submits(ids) {
      const orders = new Set<string | undefined>(ids.map((id) => decodeId("msg", id)));
      const submits: SubmitLine[] = [];
      for await (const line of readSmscLog(join(data.dir, "smsc")))
        if (line.kind === "submit" && line.trace && orders.has(line.trace.orderId)) submits.push(line);
      return submits;
    },
    provesItsLedger() {
      test("after all this the ledger's proof finds nothing", async () => {
        assert.deepEqual(await ledgerFindings(database.connection), []);
      });
    },
  };
}

function makeSubscriber(gateway: Gateway, key: string): Subscriber {
  const auth = { "x-api-key": key };
  const get = async <Body>(path: string) => documented(await gateway.call<Body>("GET", path, undefined, auth));
  const post = async <Body>(path: string, body?: unknown, headers: Record<string, string> = {}) =>
    documented(await gateway.call<Body>("POST", path, body, { ...auth, ...headers }));
  const status = async (id: string) => {
    const answer = await get<Message>(`/sms/status/${id}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const when = (id: string, what: string, is: (message: Message) => boolean, timeoutMs?: number) =>
    waitFor(
      `${id} ${what}`,
      async () => {
        const message = await status(id);
        return is(message) ? message : undefined;
      },
      timeoutMs,
    );
  return {
    key,
    get,
    post,
    async send(body, headers) {
      const answer = await post<Message>("/sms/send", body, headers);
      assert.equal(answer.status, 202, JSON.stringify(answer.body));
      return answer.body;
    },
    async refused(body, headers) {
      const answer = await post<Problem>("/sms/send", body, headers);
      assertProblem(answer);
      return answer.body;
    },
    status,
    reached: (id, state, timeoutMs) => when(id, `is ${state}`, (message) => message.status === state, timeoutMs),
    ended: (id, timeoutMs) => when(id, "has ended", (message) => FINAL.has(message.status), timeoutMs),
    async wallet() {
      const { balance, held, available } = (await get<Record<"balance" | "held" | "available", Money>>("/wallet")).body;
      return {
        balance: parseKobo(balance.amount),
        held: parseKobo(held.amount),
        available: parseKobo(available.amount),
      };
    },
    async handset(phone) {
      const answer = await get<{ messages: readonly HandsetMessage[] }>(`/test/handsets/${encodeURIComponent(phone)}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.messages;
    },
  };
}

/** The answer, which says nothing in a refusal that the OpenAPI document does not name. */
function documented<Body>(answer: Answer<Body>): Answer<Body> {
  if (answer.headers.get("content-type")?.startsWith("application/problem+json"))
    assert.equal(problemFault(answer.body), undefined, JSON.stringify(answer.body));
  return answer;
}

/** A refusal as documented: problem+json with all that the contract promises, and no fault of the server. */
export function assertProblem(answer: Answer<Problem>): void {
  assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/, JSON.stringify(answer.body));
  const { type, status, code, detail, request_id: requestId } = answer.body;
  assert.equal(status, answer.status);
  assert.equal(type, `/docs/errors/${code}`);
  assert.ok(detail.length > 10, "a refusal says what to do");
  assert.match(requestId, /^req_/);
  assert.equal(answer.headers.get("request-id"), requestId);
  assert.equal(problemFault(answer.body), undefined, JSON.stringify(answer.body));
}

/** The states of a timeline, in order. */
export const statesOf = (message: Message): readonly string[] => message.timeline.map((entry) => entry.status);

/** Numbers of ordinary handsets, each another one: 0803 1xx xxxx. */
export const phone = (index: number): string => `+234803${String(1_000_000 + index)}`;
