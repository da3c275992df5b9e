import assert from "node:assert/strict";
import { after } from "node:test";
import type { Provider, ProviderDeps, ProviderTask } from "../ports/provider.ts";
import type { PurchasePayload } from "../ports/purchase-payload.ts";
import { reloadly } from "../providers/reloadly/index.ts";
import { testVendors } from "../simulators/vendors/rig.ts";
import { PURCHASES, purchaseTask, TEST_DEPS } from "./purchase-task.ts";

/** What Reloadly sells, as purchases. */
export const RELOADLY_SELLS = {
  airtime: PURCHASES.airtime,
  data: { ...PURCHASES.data, plan: { ...PURCHASES.data.plan, code: "345:500.00" } },
} as const;

/** Reloadly's simulator, and adapters that buy there over HTTP. Ends with the test file. */
export async function reloadlyRig() {
  const teardown: (() => Promise<void> | void)[] = [];
  after(async () => {
    for (const end of teardown.reverse()) await end();
  });
  /** The vendor's clock. */
  const time = { aheadMs: 0 };
  const options = { clock: time };
  const { ports, client } = await testVendors({ after: (end: () => void) => void teardown.push(end) }, options);

  const build = (settings: object = {}, deps: Partial<ProviderDeps> = {}): Provider<PurchasePayload> => {
    const built = reloadly.build(
      "test-reloadly",
      {
        baseUrl: `http://127.0.0.1:${ports.reloadly}`,
        clientId: "simulated-client-id",
        clientSecret: "simulated-client-secret",
        responseTimeoutMs: 400,
        ...settings,
      },
      { ...TEST_DEPS, ...deps },
    );
    assert.ok(built.ok);
    return built.value as Provider<PurchasePayload>;
  };

  let phones = 0;
  /** A phone for each case, as what goes wrong goes with the phone. */
  const nextPhone = (): string => `23480312${String(++phones).padStart(5, "0")}`;
  const taskFor = (
    provider: Pick<Provider<PurchasePayload>, "makeReference">,
    product: keyof typeof RELOADLY_SELLS,
  ): ProviderTask<PurchasePayload> => purchaseTask(provider, RELOADLY_SELLS[product], nextPhone());
  const calls = async (path: string) => (await client.calls("reloadly")).filter((call) => call.path === path);

  return { client, time, build, nextPhone, taskFor, calls };
}
