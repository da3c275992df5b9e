import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Disco } from "../kernel/discos.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { cleanText } from "../orders/vendor-words.ts";
import type { MeterAnswer } from "../ports/meter.ts";
import { askSellers } from "../purchases/ask-sellers.ts";
import type { Sellers } from "../purchases/sellers.ts";
import { boundsOfMeter, type MeterType, type Verification } from "./electricity.ts";
import { findVerification, insertVerification } from "./verifications.repo.ts";

/** Whose meter it is: asked of the vendors, and remembered for the account that asked. */
export interface Meters {
  /** Errors: `meter_not_found`, `provider_unavailable`. */
  verify(who: Asker, meter: AskedMeter): Promise<Result<Verification>>;
  /** What the account was told before, as long as it is kept. */
  find(who: Asker, id: Uuid): Promise<Verification | undefined>;
}

export interface Asker {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

export interface AskedMeter {
  readonly disco: Disco;
  readonly meterNumber: string;
  /** Undefined: prepaid is asked for first. */
  readonly meterType?: MeterType | undefined;
}

export interface MetersOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sellers: Pick<Sellers<Disco>, "of">;
}

const NAME_MAX = 200;
const ADDRESS_MAX = 300;
const TARIFF_MAX = 100;

type Found = Extract<MeterAnswer, { kind: "found" }>;

export function makeMeters({ db, clock, log, sellers }: MetersOptions): Meters {
  return {
    find: ({ accountId, mode }, id) => findVerification(db, accountId, mode, id),

    async verify(who, { disco, meterNumber, meterType }) {
      const types: readonly MeterType[] = meterType ? [meterType] : ["prepaid", "postpaid"];
      for (const type of types) {
        const query = { disco, meterNumber, meterType: type };
        const told = await askSellers(sellers.of(who.mode, disco), log, ({ verify }) => verify?.meter?.(query));
        if (!told) return refuse(NOBODY_SAYS);
        if (told.answer.kind !== "found") continue;
        const meter = verificationOf(who, { disco, meterNumber }, told.answer, told.provider, clock.now());
        await insertVerification(db, meter);
        return ok(meter);
      }
      return refuse(NO_SUCH_METER);
    },
  };
}

function verificationOf(
  who: Asker,
  { disco, meterNumber }: AskedMeter,
  { meterType, customer, tariff, arrearsKobo, minimumKobo, maximumKobo }: Found,
  provider: string,
  verifiedAt: Date,
): Verification {
  return {
    ...who,
    id: newUuid(),
    disco,
    meterNumber,
    meterType,
    customer: {
      name: cleanText(customer.name, NAME_MAX),
      address: customer.address === null ? null : cleanText(customer.address, ADDRESS_MAX),
    },
    tariff: tariff === undefined ? null : cleanText(tariff, TARIFF_MAX),
    arrearsKobo: arrearsKobo !== undefined && arrearsKobo > 0n ? arrearsKobo : null,
    ...boundsOfMeter(disco, { minimumKobo, maximumKobo }),
    provider,
    verifiedAt,
  };
}

const NOBODY_SAYS = refusal(
  "provider_unavailable",
  "No vendor can say now whose meter it is. Nothing was bought and nothing is charged; try again in a minute.",
  { retryAfterSeconds: 60 },
);

const NO_METER = "This disco knows no such meter. Check the number and the disco; some numbers exist at several.";
const NO_SUCH_METER = refusal("meter_not_found", NO_METER, {
  errors: [{ pointer: "/meter_number", code: "meter_not_found", detail: NO_METER }],
});
