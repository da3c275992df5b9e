import { NETWORKS, type Network } from "../../kernel/networks.ts";
import { ok, type Result, refuse } from "../../kernel/result.ts";
import { SettingsReader } from "../settings-reader.ts";
import { SIGNED_FORMS, type SignedForm } from "./wire/signature.ts";

/** Everything an operator can set for one Reloadly account. Each is explained in docs/providers/reloadly.md. */
export interface ReloadlySettings {
  readonly baseUrl: string;
  /** Where access tokens come from. */
  readonly authUrl: string;
  /** What they are asked for: of the live or the sandbox environment. */
  readonly audience: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For a whole call: until its last byte. */
  readonly responseTimeoutMs: number;
  /** How long after a top-up was taken its state is asked for. */
  readonly firstStatusMs: number;
  /** How long after a top-up of a phone the vendor takes the next. */
  readonly rechargeWaitMs: number;
  /** How long to wait when the vendor says “not at the moment”. */
  readonly busyWaitMs: number;
  /** Where airtime is sold, by network; what is not here is found in the vendor's list. */
  readonly operators: Readonly<Partial<Record<Network, number>>>;
  /** Empty: webhooks are not signed, as far as we can tell. */
  readonly webhookSecret: string;
  readonly webhookSignature: SignedForm;
}

const LIVE = "https://topups.reloadly.com";
const AUTH = "https://auth.reloadly.com";
/** The vendor's own hosts for top-ups: live and sandbox. */
const ITS_OWN = /^https:\/\/topups(?:-sandbox)?\.reloadly\.com$/;

/** Checks the whole object: either complete settings, or every fault with what to write instead. */
export function readSettings(input: unknown): Result<ReloadlySettings, readonly string[]> {
  const read = new SettingsReader(input);
  const baseUrl = read.baseUrl("baseUrl", LIVE);
  const isItsOwn = ITS_OWN.test(baseUrl);
  const settings: ReloadlySettings = {
    baseUrl,
    // A simulator is one host for both.
    authUrl: read.baseUrl("authUrl", isItsOwn ? AUTH : baseUrl),
    audience: read.text("audience", { max: 200, fallback: isItsOwn ? baseUrl : LIVE }),
    clientId: read.text("clientId", { max: 200, what: "the API client id of the dashboard" }),
    clientSecret: read.text("clientSecret", { max: 200, what: "the API client secret of the same environment" }),
    responseTimeoutMs: read.integer("responseTimeoutMs", { min: 100, max: 300_000, fallback: 60_000 }),
    firstStatusMs: read.integer("firstStatusMs", { min: 100, max: 600_000, fallback: 2_000 }),
    rechargeWaitMs: read.integer("rechargeWaitMs", { min: 100, max: 3_600_000, fallback: 130_000 }),
    busyWaitMs: read.integer("busyWaitMs", { min: 100, max: 3_600_000, fallback: 30_000 }),
    operators: read.custom("operators", {}, operatorsIn),
    webhookSecret: read.text("webhookSecret", { max: 200, fallback: "" }),
    webhookSignature: read.choice("webhookSignature", SIGNED_FORMS),
  };
  const faults = read.faults();
  return faults.length === 0 ? ok(settings) : refuse(faults);
}

function operatorsIn(value: unknown): Partial<Record<Network, number>> | string {
  const expected = `the vendor's operator ids by network (${NETWORKS.join(", ")}), e.g. { mtn: 341 }`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return expected;
  const isRight = Object.entries(value).every(
    ([network, id]) => NETWORKS.some((known) => known === network) && Number.isSafeInteger(id) && id > 0,
  );
  return isRight ? value : expected;
}
