import Type from "typebox";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { Timestamp } from "../http/schemas.ts";
import type { Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import type { VendorClient } from "../simulators/vendors/client.ts";

/** The far end of test mode: the meters that tokens are typed into. */
export interface MeterRoutesOptions {
  /** Undefined: none is configured, or it is another node's at ports that this one can't know. */
  readonly vendors: VendorClient | undefined;
  /** The account's purchases among these references of ours at a simulated vendor, by reference. */
  readonly ownPurchases: (
    accountId: Uuid,
    simulator: string,
    references: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly purchaseId: string }>>;
}

const Meter = Type.Object(
  {
    object: Type.Literal("meter"),
    meter_number: Type.String(),
    tokens: Type.Array(
      Type.Object({
        kind: Type.String({ description: "`credit`, `bonus`, `kct1` or `kct2`." }),
        value: Type.String({ description: "20 digits in groups of four." }),
        units_kwh: Type.String(),
        purchase_id: Type.String(),
        at: Timestamp,
      }),
      { description: "The oldest first." },
    ),
  },
  { title: "Meter" },
);
const Params = Type.Object({
  meter_number: Type.String({ maxLength: 40, description: "The digits of the meter.", examples: ["11111111111"] }),
});

const TEST_ONLY = refusal(
  "test_mode_only",
  "Meters can be looked at with test keys only: live ones are on people's walls.",
);
const NO_SIMULATOR = refusal(
  "provider_unavailable",
  "This node knows of no simulator: the operator gives it fixed ports, under `simulators.vendors` in `afara.config.ts`.",
);
const SIMULATOR_AWAY = refusal(
  "provider_unavailable",
  "The simulator does not answer; it is started again by itself.",
  { retryAfterSeconds: 1 },
);

const EXAMPLE = {
  object: "meter",
  meter_number: "11111111111",
  tokens: [
    {
      kind: "credit",
      value: "1234 5678 9012 3456 7890",
      units_kwh: "22.3",
      purchase_id: "pur_01kb3v9q4ze1xb8m6t2r5y7w0n",
      at: "2026-11-27T09:00:00.412Z",
    },
  ],
};

export function meterRoutes(app: Http, { vendors, ownPurchases }: MeterRoutesOptions): void {
  app.get(
    "/test/meters/:meter_number",
    {
      config: {
        auth: { service: "electricity", scope: "vend", policy: "read" },
        errors: ["test_mode_only", "provider_unavailable"],
        answerExamples: [{ status: 200, summary: "A token", value: EXAMPLE }],
      },
      schema: {
        operationId: "getMeter",
        summary: "The tokens sold to a test meter",
        description:
          "The tokens of the account's own purchases as issued by the simulated vendors; `GET /electricity/status/{purchase_id}` must show the same.",
        tags: ["Test mode"],
        params: Params,
        response: { 200: Meter },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      if (key.mode !== "test") return sendRefusal(reply, TEST_ONLY);
      if (!vendors) return sendRefusal(reply, NO_SIMULATOR);
      const meter = request.params.meter_number.replaceAll(/[\s-]/g, "");
      const sold = /^\d+$/.test(meter) ? await vendors.tokens(meter).catch(() => undefined) : [];
      if (!sold) return sendRefusal(reply, SIMULATOR_AWAY);
      const byVendor = [...Map.groupBy(sold, ({ vendor }) => vendor)];
      const own = new Map(
        await Promise.all(
          byVendor.map(async ([vendor, tokens]) => {
            const references = tokens.map(({ reference }) => reference);
            return [vendor, await ownPurchases(key.accountId as Uuid, vendor, references)] as const;
          }),
        ),
      );
      const tokens = sold.flatMap(({ kind, value, unitsKwh, vendor, reference, at }) => {
        const purchase = own.get(vendor)?.get(reference);
        if (!purchase) return [];
        return [{ kind, value: inGroups(value), units_kwh: unitsKwh, purchase_id: purchase.purchaseId, at }];
      });
      return { object: "meter" as const, meter_number: meter, tokens };
    },
  );
}

const inGroups = (token: string): string => token.replace(/(\d{4})(?=\d)/g, "$1 ");
