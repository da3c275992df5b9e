import Type from "typebox";
import { ok, type Result, refuse } from "../../kernel/result.ts";
import { readShape } from "../settings-schema.ts";

const Settings = Type.Object(
  {
    /** `sk_live_…`; also the key of the callback's signature. */
    secretKey: Type.String({ minLength: 1 }),
    /** Paystack wants an e-mail address of each payer and writes receipts to it. `{account}` becomes the account's id. */
    customerEmail: Type.String({
      pattern: "^[^@\\s]*\\{account\\}[^@\\s]*@[^@\\s]+\\.[^@\\s]+$",
      description: 'an e-mail address with a place for the account\'s id, e.g. "topups+{account}@example.com"',
    }),
    /** Paystack wants a phone number of each payer with an account number: the operator's own. */
    customerPhone: Type.Optional(
      Type.String({ pattern: "^\\+?\\d{7,15}$", description: 'a phone number, e.g. "+2348000000000"' }),
    ),
    /** Which bank gives out account numbers, e.g. "wema-bank"; a sandbox knows "test-bank" alone. */
    preferredBank: Type.Optional(Type.String({ minLength: 1 })),
    /** Where the payer's browser goes after a payment. */
    returnUrl: Type.Optional(Type.String({ pattern: "^https?://", description: "a link that begins with https://" })),
    /** "payer": the dashboard passes Paystack's fees on, so that the payer pays more than the wallet gets. */
    feesPaidBy: Type.Optional(Type.Union([Type.Literal("operator"), Type.Literal("payer")])),
    /** The key is a sandbox's (`sk_test_…`): its money is none, so never with real customers. */
    sandbox: Type.Optional(Type.Boolean()),
    baseUrl: Type.Optional(Type.String({ pattern: "^https?://", description: "a link that begins with https://" })),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 })),
  },
  { additionalProperties: false },
);

export type PaystackSettings = Type.Static<typeof Settings>;

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/;

/** The settings, or everything that is wrong with them, none of it showing the key. */
export function readSettings(input: unknown): Result<PaystackSettings, readonly string[]> {
  const read = readShape(Settings, input);
  if (!read.ok) return read;
  const settings: PaystackSettings = read.value;
  const faults: string[] = [];
  if (settings.secretKey.startsWith("sk_test_") !== (settings.sandbox ?? false))
    faults.push("secretKey: a key sk_test_… needs `sandbox: true`, and no other key may have it");
  if (settings.baseUrl?.startsWith("http:") && !LOOPBACK.test(settings.baseUrl))
    faults.push("baseUrl: must be https, as the secret key goes there (http only to a simulator on this machine)");
  return faults.length > 0 ? refuse(faults) : ok(settings);
}
