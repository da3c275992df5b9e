import Type from "typebox";

/**
 * For how many days personal data is kept, in `afara.config.ts`. Of orders the days count from the order's end. The minimums: a text may
 * be disputed for a week, a vendor reports for 30 days, a purchase's idempotency key repeats its answer for 90.
 */
const days = (minimum: number) => Type.Optional(Type.Integer({ minimum, maximum: 3_650 }));

export const RETENTION_SETTINGS = Type.Object(
  {
    /** Texts of messages sent, and vendors' words in timelines. */
    texts: days(7),
    /** Electricity tokens and vouchers; a purchase shows and sends them until then. */
    tokens: days(30),
    /** Phone and meter numbers, customers' names and addresses, metadata: the order is then anonymous. */
    numbers: days(90),
    /** What people wrote, by SMS or chat. */
    received: days(30),
    /** Files that people sent by chat. */
    files: days(1),
  },
  { additionalProperties: false },
);

export type Retention = Required<Type.Static<typeof RETENTION_SETTINGS>>;

export const DEFAULT_RETENTION: Retention = { texts: 90, tokens: 365, numbers: 730, received: 90, files: 30 };

/** The days as configured. */
export const retentionOf = (file: { readonly retention?: Partial<Retention> }): Retention => ({
  ...DEFAULT_RETENTION,
  ...file.retention,
});
