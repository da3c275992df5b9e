import { encodeId, type Uuid } from "../src/kernel/ids.ts";
import { TEST_KEY } from "../src/testing/gateway.ts";
import type { GrowthSide } from "./growth-side.ts";
import { median } from "./table.ts";

/** How often each look is taken, each time at other orders. */
const LOOKS = 9;
const COMMAND_LOOKS = 3;

/** What one look is about: the n-th of the orders that were made. */
interface About {
  readonly phone: string;
  readonly reference: string;
  readonly id: string;
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** What subscribers ask. */
const API: Readonly<Record<string, (about: About) => string>> = {
  status: ({ id }) => `/sms/status/${id}`,
  "newest orders": () => "/orders?limit=100",
  "orders by number": ({ phone }) => `/orders?to=%2B${phone}&limit=100`,
  "orders by reference": ({ reference }) => `/orders?reference=${reference}`,
  "orders by a rare state": () => "/orders?status=expired&limit=100",
  "orders by a state that none has": () => "/orders?status=rejected&limit=100",
  "orders of a day": () => `/orders?created_after=${daysAgo(180)}&created_before=${daysAgo(179)}&limit=100`,
  "messages of a day": () => `/sms/messages?created_after=${daysAgo(180)}&created_before=${daysAgo(179)}&limit=100`,
  statement: () => "/wallet/transactions?limit=100",
  "usage by day": () => `/usage?by=day&from=${daysAgo(30).slice(0, 10)}&to=${daysAgo(0).slice(0, 10)}`,
  events: () => "/events?limit=100",
};

/** What the portal's pages ask. */
const PORTAL: typeof API = {
  "portal: newest orders": () => "/portal/api/orders?limit=50",
  "portal: find a number": ({ phone }) => `/portal/api/orders?find=%2B${phone}&limit=50`,
  "portal: find a reference": ({ reference }) => `/portal/api/orders?find=${reference}&limit=50`,
};

/** What an operator's shell asks. */
const COMMANDS: Readonly<Record<string, (about: About) => readonly string[]>> = {
  "orders list --to": ({ phone }) => ["orders", "list", "--to", `+${phone}`],
  "orders list --reference": ({ reference }) => ["orders", "list", "--reference", reference],
  "orders show": ({ id }) => ["orders", "show", id],
  "orders stuck": () => ["orders", "stuck"],
  "cases list": () => ["cases", "list"],
};

const aboutOf = (n: number, id: string): About => ({
  phone: `234803${String(n % 10_000_000).padStart(7, "0")}`,
  reference: `forged-${n}`,
  id,
});

/** The orders that the looks are about: spread over all that were made, or the newest one where none was. */
async function subjects({ bench, accountId }: GrowthSide, stored: number, count: number): Promise<readonly About[]> {
  const ns = Array.from({ length: count }, (_, turn) => Math.floor((stored * turn) / count));
  const { rows } = await bench.database.query<{ n: number; id: Uuid }>(
    `select n, coalesce((select target_id from order_keys where account_id = $1 and mode = 'test' and kind = 'reference' and key = 'forged-' || n),
                        (select id from orders where account_id = $1 order by id desc limit 1)) as id
       from unnest($2::int[]) n`,
    [accountId, ns],
  );
  return rows.map(({ n, id }) => aboutOf(n, encodeId("msg", id)));
}

/** Milliseconds of everything that is asked by HTTP, as the caller has them: the median of some, each about other orders. */
export async function askAll(side: GrowthSide, stored: number): Promise<Readonly<Record<string, number>>> {
  const about = await subjects(side, stored, LOOKS);
  const took: Record<string, number> = {};
  for (const [looks, headers] of [
    [API, { "x-api-key": TEST_KEY }],
    [PORTAL, { ...side.session, "afara-account": encodeId("acc", side.accountId), "afara-mode": "test" }],
  ] as const)
    for (const [name, pathOf] of Object.entries(looks)) {
      const ms: number[] = [];
      for (const one of about) {
        const path = pathOf(one);
        const startedMs = performance.now();
        const answer = await fetch(`${side.worker.base}${path}`, { headers });
        const text = await answer.text();
        ms.push(performance.now() - startedMs);
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      }
      took[`${name} ms`] = median(ms);
    }
  return took;
}

/** The same by the command line, whose own start is most of it. */
export async function askByCommand(side: GrowthSide, stored: number): Promise<Readonly<Record<string, number>>> {
  const about = await subjects(side, stored, COMMAND_LOOKS);
  const took: Record<string, number> = {};
  for (const [name, argsOf] of Object.entries(COMMANDS)) {
    const seconds: number[] = [];
    for (const one of about) seconds.push((await side.command(...argsOf(one))).seconds);
    took[`./afara ${name} ms`] = median(seconds) * 1_000;
  }
  return took;
}
